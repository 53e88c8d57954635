// Products with a vector, where packing would cost more than the product.
import { BIAS, RELU } from "./epilogue";
import { hsum, madd } from "./simd";

/** y[i] (+)= sum over k of M[i, k] v[k]; rows of M and v contiguous; y `ys` bytes apart. */
export function dotRows(mat: usize, mrs: usize, rows: i32, k: i32, v: usize, y: usize, ys: usize, acc: bool): void {
  const kv = k & ~3;
  let i = 0;
  for (; i + 4 <= rows; i += 4) {
    let p0 = mat;
    let p1 = mat + mrs;
    let p2 = p1 + mrs;
    let p3 = p2 + mrs;
    let q = v;
    let s0 = f32x4.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    const end = v + (<usize>kv << 2);
    while (q < end) {
      const x = v128.load(q);
      s0 = madd(v128.load(p0), x, s0);
      s1 = madd(v128.load(p1), x, s1);
      s2 = madd(v128.load(p2), x, s2);
      s3 = madd(v128.load(p3), x, s3);
      q += 16;
      p0 += 16;
      p1 += 16;
      p2 += 16;
      p3 += 16;
    }
    let r0 = hsum(s0);
    let r1 = hsum(s1);
    let r2 = hsum(s2);
    let r3 = hsum(s3);
    for (let kk = kv; kk < k; kk++) {
      const x = load<f32>(q);
      r0 += load<f32>(p0) * x;
      r1 += load<f32>(p1) * x;
      r2 += load<f32>(p2) * x;
      r3 += load<f32>(p3) * x;
      q += 4;
      p0 += 4;
      p1 += 4;
      p2 += 4;
      p3 += 4;
    }
    put(y, r0, acc);
    put(y + ys, r1, acc);
    put(y + 2 * ys, r2, acc);
    put(y + 3 * ys, r3, acc);
    y += ys << 2;
    mat += mrs << 2;
  }
  for (; i < rows; i++) {
    let s0 = f32x4.splat(0);
    let s1 = s0;
    let p = mat;
    let q = v;
    let kk = 0;
    for (; kk + 8 <= k; kk += 8) {
      s0 = madd(v128.load(p), v128.load(q), s0);
      s1 = madd(v128.load(p, 16), v128.load(q, 16), s1);
      p += 32;
      q += 32;
    }
    let r = hsum(f32x4.add(s0, s1));
    for (; kk < k; kk++) {
      r += load<f32>(p) * load<f32>(q);
      p += 4;
      q += 4;
    }
    put(y, r, acc);
    y += ys;
    mat += mrs;
  }
}

// @ts-ignore: decorator
@inline export function put(y: usize, x: f32, acc: bool): void {
  store<f32>(y, acc ? load<f32>(y) + x : x);
}

/** y[j] (+)= sum over k of v[k] M[k, j]; rows of M, v and y contiguous. */
export function axpyRows(mat: usize, mrs: usize, k: i32, n: i32, v: usize, y: usize, acc: bool): void {
  if (!acc) memory.fill(y, 0, <usize>n << 2);
  const nv = n & ~3;
  while (k > 0) {
    const rows = min(k, 4);
    const x0 = load<f32>(v);
    const x1 = rows > 1 ? load<f32>(v, 4) : <f32>0;
    const x2 = rows > 2 ? load<f32>(v, 8) : <f32>0;
    const x3 = rows > 3 ? load<f32>(v, 12) : <f32>0;
    let p0 = mat;
    let p1 = rows > 1 ? p0 + mrs : p0;
    let p2 = rows > 2 ? p1 + mrs : p0;
    let p3 = rows > 3 ? p2 + mrs : p0;
    let q = y;
    const end = y + (<usize>nv << 2);
    if (rows == 4) {
      const v0 = f32x4.splat(x0);
      const v1 = f32x4.splat(x1);
      const v2 = f32x4.splat(x2);
      const v3 = f32x4.splat(x3);
      while (q < end) {
        const s = madd(v128.load(p0), v0, v128.load(q));
        const t = f32x4.mul(v128.load(p2), v2);
        v128.store(q, f32x4.add(madd(v128.load(p1), v1, s), madd(v128.load(p3), v3, t)));
        q += 16;
        p0 += 16;
        p1 += 16;
        p2 += 16;
        p3 += 16;
      }
      for (let j = nv; j < n; j++) {
        store<f32>(q, load<f32>(q) + load<f32>(p0) * x0 + load<f32>(p1) * x1 + load<f32>(p2) * x2 + load<f32>(p3) * x3);
        q += 4;
        p0 += 4;
        p1 += 4;
        p2 += 4;
        p3 += 4;
      }
      mat = mat + (mrs << 2);
    } else {
      for (let r = 0; r < rows; r++) {
        const x = load<f32>(v + (<usize>r << 2));
        const vx = f32x4.splat(x);
        q = y;
        p0 = mat;
        while (q < end) {
          v128.store(q, madd(v128.load(p0), vx, v128.load(q)));
          q += 16;
          p0 += 16;
        }
        for (let j = nv; j < n; j++) {
          store<f32>(q, load<f32>(q) + load<f32>(p0) * x);
          q += 4;
          p0 += 4;
        }
        mat += mrs;
      }
    }
    v += 16;
    k -= rows;
  }
}

/** Makes a strided vector contiguous in `dst` unless it already is. */
export function contiguous(src: usize, stride: usize, n: i32, dst: usize): usize {
  if (stride == 4) return src;
  for (let i = 0; i < n; i++) {
    store<f32>(dst + (<usize>i << 2), load<f32>(src));
    src += stride;
  }
  return dst;
}

/** Bias and relu after a GEMV path. */
export function epilogue(m: i32, n: i32, c: usize, ldc: usize, mode: i32, bias: usize): void {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      const p = c + (<usize>j << 2);
      let x = load<f32>(p);
      if (mode & BIAS) x += load<f32>(bias + (<usize>j << 2));
      if (mode & RELU) x = x < 0 ? 0 : x;
      store<f32>(p, x);
    }
    c += ldc;
  }
}
