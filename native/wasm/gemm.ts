// Matrix product: operands are packed into panels (Goto & van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008) and a
// 4x8 register tile walks over them. Strides are bytes throughout this file, so a transposed operand is only another pair of strides.
import { ACCUMULATE, BIAS, RELU, finish } from "./epilogue";
import { axpyRows, contiguous, dotRows, epilogue, put } from "./gemv";
import { madd, roundUp } from "./simd";

export const MR: i32 = 4;
export const NR: i32 = 8;
export const KC: i32 = 256;
export const MC: i32 = 192;
export const NC: i32 = 1024;

/**
 * One 4x8 tile: C (+)= k >= 1 steps of packed panels. Unrolling k makes it slower under V8. The first step stands outside the loop for V8's sake:
 * what both share, the memory's base plus each offset, is then computed before the loop and not in each turn, which gains a tenth.
 */
function tile(k: i32, pa: usize, pb: usize, pc: usize, ldc: usize, accumulate: i32): void {
  const zero = f32x4.splat(0);
  let b0 = v128.load(pb);
  let b1 = v128.load(pb, 16);
  let a = v128.load32_splat(pa);
  let c00 = madd(a, b0, zero);
  let c01 = madd(a, b1, zero);
  a = v128.load32_splat(pa, 4);
  let c10 = madd(a, b0, zero);
  let c11 = madd(a, b1, zero);
  a = v128.load32_splat(pa, 8);
  let c20 = madd(a, b0, zero);
  let c21 = madd(a, b1, zero);
  a = v128.load32_splat(pa, 12);
  let c30 = madd(a, b0, zero);
  let c31 = madd(a, b1, zero);
  while (--k > 0) {
    pa += 16;
    pb += 32;
    b0 = v128.load(pb);
    b1 = v128.load(pb, 16);
    a = v128.load32_splat(pa);
    c00 = madd(a, b0, c00);
    c01 = madd(a, b1, c01);
    a = v128.load32_splat(pa, 4);
    c10 = madd(a, b0, c10);
    c11 = madd(a, b1, c11);
    a = v128.load32_splat(pa, 8);
    c20 = madd(a, b0, c20);
    c21 = madd(a, b1, c21);
    a = v128.load32_splat(pa, 12);
    c30 = madd(a, b0, c30);
    c31 = madd(a, b1, c31);
  }
  if (accumulate) {
    v128.store(pc, f32x4.add(v128.load(pc), c00));
    v128.store(pc, f32x4.add(v128.load(pc, 16), c01), 16);
    pc += ldc;
    v128.store(pc, f32x4.add(v128.load(pc), c10));
    v128.store(pc, f32x4.add(v128.load(pc, 16), c11), 16);
    pc += ldc;
    v128.store(pc, f32x4.add(v128.load(pc), c20));
    v128.store(pc, f32x4.add(v128.load(pc, 16), c21), 16);
    pc += ldc;
    v128.store(pc, f32x4.add(v128.load(pc), c30));
    v128.store(pc, f32x4.add(v128.load(pc, 16), c31), 16);
  } else {
    v128.store(pc, c00);
    v128.store(pc, c01, 16);
    pc += ldc;
    v128.store(pc, c10);
    v128.store(pc, c11, 16);
    pc += ldc;
    v128.store(pc, c20);
    v128.store(pc, c21, 16);
    pc += ldc;
    v128.store(pc, c30);
    v128.store(pc, c31, 16);
  }
}

/** Bias and relu over a 4x8 tile of C. */
function finishTile(pc: usize, ldc: usize, mode: i32, bias: usize): void {
  for (let i = 0; i < MR; i++) {
    finish(pc, v128.load(pc), mode, bias);
    finish(pc + 16, v128.load(pc, 16), mode, bias + 16);
    pc += ldc;
  }
}

/** A tile at the edge, of which only mr x nr lies inside C: computed into `scratch` (4x8), then merged element by element. */
function edgeTile(k: i32, pa: usize, pb: usize, pc: usize, ldc: usize, mr: i32, nr: i32, mode: i32, bias: usize, scratch: usize): void {
  tile(k, pa, pb, scratch, 32, 0);
  for (let i = 0; i < mr; i++) {
    for (let j = 0; j < nr; j++) {
      const p = pc + (<usize>j << 2);
      let x = load<f32>(scratch + (<usize>j << 2));
      if (mode & ACCUMULATE) x += load<f32>(p);
      if (mode & BIAS) x += load<f32>(bias + (<usize>j << 2));
      if (mode & RELU) x = x < 0 ? 0 : x;
      store<f32>(p, x);
    }
    pc += ldc;
    scratch += 32;
  }
}

/** C[mc, nc] from packed A (4-row panels) and packed B (8-column panels `panelB` bytes apart). `scratch` has 128 bytes. */
export function macroKernel(
  mc: i32, nc: i32, kc: i32, bufA: usize, bufB: usize, panelB: usize, c: usize, ldc: usize, mode: i32, bias: usize, scratch: usize,
): void {
  const panelA = (<usize>kc) << 4;
  for (let jr = 0; jr < nc; jr += NR) {
    const nr = min(NR, nc - jr);
    let pa = bufA;
    let pc = c + (<usize>jr << 2);
    const pbias = bias + (<usize>jr << 2);
    for (let ir = 0; ir < mc; ir += MR) {
      const mr = min(MR, mc - ir);
      if (nr == NR && mr == MR) {
        tile(kc, pa, bufB, pc, ldc, mode & ACCUMULATE);
        if (mode & (BIAS | RELU)) finishTile(pc, ldc, mode & (BIAS | RELU), pbias);
      } else {
        edgeTile(kc, pa, bufB, pc, ldc, mr, nr, mode, pbias, scratch);
      }
      pa += panelA;
      pc += ldc << 2;
    }
    bufB += panelB;
  }
}

/** Writes `len` steps of a 4-row panel from four pointers whose elements are adjacent; returns the end of what was written. */
export function packRows(p0: usize, p1: usize, p2: usize, p3: usize, len: i32, dst: usize, step: usize): usize {
  while (len >= 4) {
    const a = v128.load(p0);
    const b = v128.load(p1);
    const c = v128.load(p2);
    const d = v128.load(p3);
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
    v128.store(dst, v128.shuffle<f64>(ab, cd, 0, 2));
    dst += step;
    v128.store(dst, v128.shuffle<f64>(ab, cd, 1, 3));
    dst += step;
    const ab2 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
    const cd2 = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
    v128.store(dst, v128.shuffle<f64>(ab2, cd2, 0, 2));
    dst += step;
    v128.store(dst, v128.shuffle<f64>(ab2, cd2, 1, 3));
    dst += step;
    p0 += 16;
    p1 += 16;
    p2 += 16;
    p3 += 16;
    len -= 4;
  }
  while (len > 0) {
    store<f32>(dst, load<f32>(p0));
    store<f32>(dst, load<f32>(p1), 4);
    store<f32>(dst, load<f32>(p2), 8);
    store<f32>(dst, load<f32>(p3), 12);
    p0 += 4;
    p1 += 4;
    p2 += 4;
    p3 += 4;
    dst += step;
    len--;
  }
  return dst;
}

export function packA(src: usize, rs: usize, cs: usize, m: i32, k: i32, dst: usize): void {
  for (let i = 0; i < m; i += MR) {
    const mr = m - i;
    if (mr >= MR && cs == 4) {
      dst = packRows(src, src + rs, src + 2 * rs, src + 3 * rs, k, dst, 16);
    } else if (mr >= MR && rs == 4) {
      let p = src;
      for (let kk = 0; kk < k; kk++) {
        v128.store(dst, v128.load(p));
        p += cs;
        dst += 16;
      }
    } else {
      for (let kk = 0; kk < k; kk++) {
        let p = src + <usize>kk * cs;
        for (let r = 0; r < MR; r++) {
          store<f32>(dst, r < mr ? load<f32>(p) : <f32>0);
          p += rs;
          dst += 4;
        }
      }
    }
    src += rs << 2;
  }
}

/** Packs B[k, n] into 8-column panels; panels start `panel` bytes apart, so several row ranges can fill one panel. */
export function packB(src: usize, rs: usize, cs: usize, k: i32, n: i32, dst: usize, panel: usize): void {
  for (let j = 0; j < n; j += NR) {
    const nr = n - j;
    let d = dst;
    if (nr >= NR && cs == 4) {
      let p = src;
      for (let kk = 0; kk < k; kk++) {
        v128.store(d, v128.load(p));
        v128.store(d, v128.load(p, 16), 16);
        p += rs;
        d += 32;
      }
    } else if (nr >= NR && rs == 4) {
      const half = src + (cs << 2);
      packRows(src, src + cs, src + 2 * cs, src + 3 * cs, k, d, 32);
      packRows(half, half + cs, half + 2 * cs, half + 3 * cs, k, d + 16, 32);
    } else {
      for (let kk = 0; kk < k; kk++) {
        let p = src + <usize>kk * rs;
        for (let r = 0; r < NR; r++) {
          store<f32>(d, r < nr ? load<f32>(p) : <f32>0);
          p += cs;
          d += 4;
        }
      }
    }
    src += cs << 3;
    dst += panel;
  }
}

/** Bytes of workspace that `gemm` needs for these sizes. */
export function gemmWorkspace(m: i32, n: i32, k: i32): usize {
  const kc = min(k, KC);
  const packed = <usize>kc * <usize>(roundUp(min(n, NC), NR) + roundUp(min(m, MC), MR)) * 4;
  return max(packed, (<usize>k + <usize>m) * 4) + 256;
}

/** C[m, n] (+)= A[m, k] B[k, n] (+ bias[n]) (then relu). All strides in bytes; C's columns are adjacent. */
export function gemm(
  m: i32, n: i32, k: i32, a: usize, rsA: usize, csA: usize, b: usize, rsB: usize, csB: usize, c: usize, ldc: usize, ws: usize, mode: i32, bias: usize,
): void {
  if (m <= 0 || n <= 0) return;
  const acc = (mode & ACCUMULATE) != 0;
  if (k <= 0) {
    if (!acc) for (let i = 0; i < m; i++) memory.fill(c + <usize>i * ldc, 0, <usize>n << 2);
    epilogue(m, n, c, ldc, mode, bias);
    return;
  }
  if (m <= 4 && (csB == 4 || rsB == 4)) {
    for (let i = 0; i < m; i++) {
      const v = contiguous(a, csA, k, ws);
      if (csB == 4) axpyRows(b, rsB, k, n, v, c + <usize>i * ldc, acc);
      else dotRows(b, csB, n, k, v, c + <usize>i * ldc, 4, acc);
      a += rsA;
    }
    if (mode & (BIAS | RELU)) epilogue(m, n, c, ldc, mode, bias);
    return;
  }
  if (n <= 4 && (csA == 4 || rsA == 4)) {
    for (let j = 0; j < n; j++) {
      const v = contiguous(b, rsB, k, ws);
      const y = c + (<usize>j << 2);
      if (csA == 4) dotRows(a, rsA, m, k, v, y, ldc, acc);
      else {
        const t = ws + (<usize>k << 2);
        axpyRows(a, csA, k, m, v, t, false);
        for (let i = 0; i < m; i++) put(y + <usize>i * ldc, load<f32>(t + (<usize>i << 2)), acc);
      }
      b += csB;
    }
    if (mode & (BIAS | RELU)) epilogue(m, n, c, ldc, mode, bias);
    return;
  }
  const kcMax = min(k, KC);
  const bufA = ws + 128;
  const bufB = bufA + <usize>roundUp(min(m, MC), MR) * <usize>kcMax * 4;
  for (let jc = 0; jc < n; jc += NC) {
    const nc = min(n - jc, NC);
    const cj = c + (<usize>jc << 2);
    for (let pc = 0; pc < k; pc += KC) {
      const kc = min(k - pc, KC);
      const panel = <usize>kc << 5;
      packB(b + <usize>pc * rsB + <usize>jc * csB, rsB, csB, kc, nc, bufB, panel);
      const last = pc + kc == k ? mode & (BIAS | RELU) : 0;
      const inner = last | (pc > 0 ? ACCUMULATE : mode & ACCUMULATE);
      for (let ic = 0; ic < m; ic += MC) {
        const mc = min(m - ic, MC);
        packA(a + <usize>ic * rsA + <usize>pc * csA, rsA, csA, mc, kc, bufA);
        macroKernel(mc, nc, kc, bufA, bufB, panel, cj + <usize>ic * ldc, ldc, inner, bias + (<usize>jc << 2), ws);
      }
    }
  }
}

/** `count` products with byte steps between them; a step of 0 repeats an operand. */
export function gemmBatched(
  count: i32, m: i32, n: i32, k: i32, a: usize, stepA: usize, rsA: usize, csA: usize, b: usize, stepB: usize, rsB: usize, csB: usize,
  c: usize, stepC: usize, ldc: usize, ws: usize, mode: i32, bias: usize,
): void {
  for (let i = 0; i < count; i++) {
    gemm(m, n, k, a, rsA, csA, b, rsB, csB, c, ldc, ws, mode, bias);
    a += stepA;
    b += stepB;
    c += stepC;
  }
}
