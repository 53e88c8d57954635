// 2-D convolution of NHWC images with HWIO kernels as matrix products over output pixels. Nothing is unrolled into a matrix in memory:
// panels are packed straight from the image, which costs what packing a matrix costs.
import { ACCUMULATE, BIAS, KC, MR, NR, RELU, gemm, gemmWorkspace, macroKernel, packB, packRows } from "./gemm";
import { depthwiseForward, depthwiseInputGradient, depthwiseKernelGradient } from "./depthwise";
import { roundUp } from "./simd";

const ROWS: i32 = 192;
const PIXELS: i32 = 256;
/** Workspace starts with the scratch tile and the geometry of the mirrored convolution. */
const HEADER: usize = 256;

/** The geometry of a convolution, 16 words in memory in this order; channels are totals over all groups. */
@unmanaged
export class Shape {
  batch: i32;
  height: i32;
  width: i32;
  channels: i32;
  kernelHeight: i32;
  kernelWidth: i32;
  filters: i32;
  outHeight: i32;
  outWidth: i32;
  strideY: i32;
  strideX: i32;
  dilationY: i32;
  dilationX: i32;
  padTop: i32;
  padLeft: i32;
  groups: i32;
}

// @ts-ignore: decorator
@inline function taps(s: Shape): i32 {
  return s.kernelHeight * s.kernelWidth;
}

// @ts-ignore: decorator
@inline function isPointwise(s: Shape): bool {
  return taps(s) == 1 && s.strideY == 1 && s.strideX == 1 && s.padTop == 0 && s.padLeft == 0 && s.outHeight == s.height && s.outWidth == s.width;
}

// @ts-ignore: decorator
@inline function isDepthwise(s: Shape): bool {
  return s.groups > 1 && s.groups == s.channels && s.filters == s.channels;
}

/** A walk over output pixels: where the current one's window starts in the image (row, column, address, which may lie before the image). */
let walkX: i32 = 0;
let walkY: i32 = 0;
let originY: i32 = 0;
let originX: i32 = 0;
let originPtr: usize = 0;

function locate(s: Shape, image: usize, row: i32): void {
  walkX = row % s.outWidth;
  const rest = row / s.outWidth;
  walkY = rest % s.outHeight;
  const n = rest / s.outHeight;
  originY = walkY * s.strideY - s.padTop;
  originX = walkX * s.strideX - s.padLeft;
  originPtr = image + ((<usize>((n * s.height + originY) * s.width + originX) * <usize>s.channels) << 2);
}

/** Moves the walk one pixel on. */
// @ts-ignore: decorator
@inline function advance(s: Shape): void {
  let pixels = s.strideX;
  walkX++;
  originX += s.strideX;
  if (walkX == s.outWidth) {
    walkX = 0;
    walkY++;
    let lines = s.strideY;
    originY += s.strideY;
    if (walkY == s.outHeight) {
      // The next image starts a whole image's height below this one's top.
      walkY = 0;
      lines = s.height - s.padTop - (originY - s.strideY);
      originY = -s.padTop;
    }
    pixels = lines * s.width - s.padLeft - (originX - s.strideX);
    originX = -s.padLeft;
  }
  originPtr += <usize>(pixels * s.channels) << 2;
}

// @ts-ignore: decorator
@inline function inside(y: i32, x: i32, s: Shape): bool {
  return <u32>y < <u32>s.height && <u32>x < <u32>s.width;
}

/** Packs output pixels [row, row + rows) by window elements [k0, k0 + kc) into 4-row panels. `zeros` holds a tap's channels of zeros. */
function packWindows(s: Shape, image: usize, c: i32, row: i32, rows: i32, k0: i32, kc: i32, dst: usize, zeros: usize): void {
  const pixel = <usize>s.channels << 2;
  const stepX = <usize>s.dilationX * pixel;
  const stepY = <usize>(s.dilationY * s.width) * pixel;
  const lineRun = s.groups == 1 && s.dilationX == 1 ? s.kernelWidth * c : 0;
  const all = k0 == 0 && kc == taps(s) * c;
  const spanX = (s.kernelWidth - 1) * s.dilationX;
  locate(s, image, row);
  for (let i = 0; i < rows; i += MR) {
    // Rows past the end repeat the last one; their products are never stored.
    const y0 = originY;
    const x0 = originX;
    const p0 = originPtr;
    if (i + 1 < rows) advance(s);
    const y1 = originY;
    const x1 = originX;
    const p1 = originPtr;
    if (i + 2 < rows) advance(s);
    const y2 = originY;
    const x2 = originX;
    const p2 = originPtr;
    if (i + 3 < rows) advance(s);
    const y3 = originY;
    const x3 = originX;
    const p3 = originPtr;
    if (i + 4 < rows) advance(s);
    if (all && lineRun && inX(x0, spanX, s) && inX(x1, spanX, s) && inX(x2, spanX, s) && inX(x3, spanX, s)) {
      // A kernel line is one run of memory.
      let off: usize = 0;
      let ky = 0;
      for (let kh = 0; kh < s.kernelHeight; kh++) {
        dst = packRows(
          <u32>(y0 + ky) < <u32>s.height ? p0 + off : zeros,
          <u32>(y1 + ky) < <u32>s.height ? p1 + off : zeros,
          <u32>(y2 + ky) < <u32>s.height ? p2 + off : zeros,
          <u32>(y3 + ky) < <u32>s.height ? p3 + off : zeros,
          lineRun, dst, 16,
        );
        off += stepY;
        ky += s.dilationY;
      }
      continue;
    }
    let k = k0;
    let tap = k / c;
    let from = k % c;
    while (k < k0 + kc) {
      const kh = tap / s.kernelWidth;
      const kw = tap - kh * s.kernelWidth;
      const ky = kh * s.dilationY;
      const kx = kw * s.dilationX;
      const off = <usize>kh * stepY + <usize>kw * stepX + (<usize>from << 2);
      const len = min(c - from, k0 + kc - k);
      dst = packRows(
        inside(y0 + ky, x0 + kx, s) ? p0 + off : zeros,
        inside(y1 + ky, x1 + kx, s) ? p1 + off : zeros,
        inside(y2 + ky, x2 + kx, s) ? p2 + off : zeros,
        inside(y3 + ky, x3 + kx, s) ? p3 + off : zeros,
        len, dst, 16,
      );
      k += len;
      tap++;
      from = 0;
    }
  }
}

// @ts-ignore: decorator
@inline function inX(x: i32, span: i32, s: Shape): bool {
  return x >= 0 && x + span < s.width;
}

/** Bytes of workspace for any of the three convolution kernels. */
export function convWorkspace(desc: usize): usize {
  const s = changetype<Shape>(desc);
  if (isDepthwise(s)) return 1024 + (<usize>s.channels << 3);
  const c = s.channels / s.groups;
  const f = s.filters / s.groups;
  const k = taps(s) * c;
  const pixels = s.batch * s.outHeight * s.outWidth;
  if (isPointwise(s)) {
    return max(gemmWorkspace(pixels, f, c), max(gemmWorkspace(c, f, pixels), gemmWorkspace(pixels, c, f)));
  }
  const zeros = <usize>roundUp(s.kernelWidth * max(f, c), 16) << 2;
  const forward = <usize>roundUp(f, NR) * <usize>k + <usize>ROWS * <usize>min(k, KC);
  const kernel = <usize>PIXELS * <usize>(roundUp(f, NR) + roundUp(ROWS, MR));
  const flipped = <usize>roundUp(c, NR) * <usize>(taps(s) * f) + <usize>ROWS * <usize>min(taps(s) * f, KC);
  const scatter = <usize>ROWS * <usize>(k + min(f, KC)) + <usize>f * <usize>roundUp(k, NR);
  return HEADER + zeros + (max(max(forward, kernel), max(flipped, scatter)) << 2);
}

/** Output pixels as rows times packed weights: y[rows, n] = windows[rows, k] · W[k, n]. */
function windowsTimes(s: Shape, image: usize, c: i32, k: i32, n: i32, packed: usize, y: usize, ldy: usize, bufA: usize, zeros: usize, scratch: usize, mode: i32, bias: usize): void {
  const rows = s.batch * s.outHeight * s.outWidth;
  const panel = <usize>k << 5;
  for (let row = 0; row < rows; row += ROWS) {
    const mc = min(ROWS, rows - row);
    const out = y + <usize>row * ldy;
    for (let k0 = 0; k0 < k; k0 += KC) {
      const kc = min(KC, k - k0);
      packWindows(s, image, c, row, mc, k0, kc, bufA, zeros);
      const last = k0 + kc == k ? mode & (BIAS | RELU) : 0;
      const acc = k0 > 0 ? ACCUMULATE : mode & ACCUMULATE;
      macroKernel(mc, n, kc, bufA, packed + (<usize>k0 << 5), panel, out, ldy, last | acc, bias, scratch);
    }
  }
}

/** y = conv(x, w) (+ bias)(relu). */
export function convForward(desc: usize, x: usize, w: usize, y: usize, ws: usize, mode: i32, bias: usize): void {
  const s = changetype<Shape>(desc);
  if (isDepthwise(s)) return depthwiseForward(s, x, w, y, mode, bias);
  const c = s.channels / s.groups;
  const f = s.filters / s.groups;
  const ldy = <usize>s.filters << 2;
  const k = taps(s) * c;
  if (isPointwise(s)) {
    for (let g = 0; g < s.groups; g++) {
      const atC = <usize>(g * c) << 2;
      const atF = <usize>(g * f) << 2;
      gemm(s.batch * s.height * s.width, f, c, x + atC, <usize>s.channels << 2, 4, w + atF, ldy, 4, y + atF, ldy, ws, mode, bias + atF);
    }
    return;
  }
  const zeros = ws + HEADER;
  const bufA = zeros + (<usize>roundUp(s.kernelWidth * max(f, c), 16) << 2);
  const packed = bufA + (<usize>ROWS * <usize>min(k, KC) << 2);
  memory.fill(zeros, 0, bufA - zeros);
  for (let g = 0; g < s.groups; g++) {
    const atF = <usize>(g * f) << 2;
    packB(w + atF, ldy, 4, k, f, packed, <usize>k << 5);
    windowsTimes(s, x + (<usize>(g * c) << 2), c, k, f, packed, y + atF, ldy, bufA, zeros, ws, mode, bias + atF);
  }
}

/** Packs window elements as rows and output pixels as steps, the transpose of `packWindows`, for rows [k0, k0 + mc). */
function packWindowsTransposed(s: Shape, image: usize, c: i32, row: i32, pixels: i32, k0: i32, mc: i32, dst: usize): void {
  const pixel = <usize>s.channels << 2;
  const startY = row / s.outWidth;
  const startX = row % s.outWidth;
  const panel = <usize>pixels << 4;
  const stride = <usize>s.strideX * pixel;
  let i = 0;
  while (i < mc) {
    const k = k0 + i;
    const tap = k / c;
    const from = k - tap * c;
    if (from + 4 <= c && i + 4 <= mc) {
      // Four channels of one tap: one vector a pixel. Further groups of four of the tap follow while its row bounds are known.
      const kh = tap / s.kernelWidth;
      const ky = kh * s.dilationY - s.padTop;
      const kx = (tap - kh * s.kernelWidth) * s.dilationX - s.padLeft;
      const quads = min(c - from, mc - i) >> 2;
      let done = 0;
      let oy = startY;
      let ox = startX;
      while (done < pixels) {
        const len = min(s.outWidth - ox, pixels - done);
        const n = oy / s.outHeight;
        const iy = (oy - n * s.outHeight) * s.strideY + ky;
        let d = dst + (<usize>done << 4);
        if (<u32>iy >= <u32>s.height) {
          for (let q = 0; q < quads; q++) {
            memory.fill(d, 0, <usize>len << 4);
            d += panel;
          }
        } else {
          let ix = ox * s.strideX + kx;
          let p = image + ((<usize>((n * s.height + iy) * s.width + ix) * <usize>s.channels + <usize>from) << 2);
          for (let t = 0; t < len; t++) {
            if (<u32>ix < <u32>s.width) {
              let e = d;
              let r = p;
              for (let q = 0; q < quads; q++) {
                v128.store(e, v128.load(r));
                e += panel;
                r += 16;
              }
            } else {
              let e = d;
              for (let q = 0; q < quads; q++) {
                v128.store(e, f32x4.splat(0));
                e += panel;
              }
            }
            d += 16;
            p += stride;
            ix += s.strideX;
          }
        }
        done += len;
        ox = 0;
        oy++;
      }
      dst += panel * <usize>quads;
      i += quads << 2;
      continue;
    }
    for (let r = 0; r < MR; r++) {
      const kk = k + r;
      let d = dst + (<usize>r << 2);
      if (i + r >= mc) {
        for (let t = 0; t < pixels; t++) {
          store<f32>(d, 0);
          d += 16;
        }
        continue;
      }
      const at = kk / c;
      const kh = at / s.kernelWidth;
      const ky = kh * s.dilationY - s.padTop;
      const kx = (at - kh * s.kernelWidth) * s.dilationX - s.padLeft;
      let done = 0;
      let oy = startY;
      let ox = startX;
      while (done < pixels) {
        const len = min(s.outWidth - ox, pixels - done);
        const n = oy / s.outHeight;
        const iy = (oy - n * s.outHeight) * s.strideY + ky;
        const rowInside = <u32>iy < <u32>s.height;
        let ix = ox * s.strideX + kx;
        let p = image + ((<usize>((n * s.height + iy) * s.width + ix) * <usize>s.channels + <usize>(kk - at * c)) << 2);
        for (let t = 0; t < len; t++) {
          store<f32>(d, rowInside && <u32>ix < <u32>s.width ? load<f32>(p) : <f32>0);
          d += 16;
          p += stride;
          ix += s.strideX;
        }
        done += len;
        ox = 0;
        oy++;
      }
    }
    dst += panel;
    i += MR;
  }
}

/** dw = gradient of the kernel for the output gradient g: windows^T · g, summed over blocks of pixels. */
export function convKernelGradient(desc: usize, x: usize, g: usize, dw: usize, ws: usize): void {
  const s = changetype<Shape>(desc);
  if (isDepthwise(s)) return depthwiseKernelGradient(s, x, g, dw, ws);
  const c = s.channels / s.groups;
  const f = s.filters / s.groups;
  const ldw = <usize>s.filters << 2;
  const k = taps(s) * c;
  const pixels = s.batch * s.outHeight * s.outWidth;
  const bufA = ws + HEADER;
  const bufB = bufA + (<usize>ROWS * <usize>PIXELS << 2);
  for (let group = 0; group < s.groups; group++) {
    const atF = <usize>(group * f) << 2;
    const image = x + (<usize>(group * c) << 2);
    if (isPointwise(s)) {
      gemm(c, f, pixels, image, 4, <usize>s.channels << 2, g + atF, ldw, 4, dw + atF, ldw, ws, 0, 0);
      continue;
    }
    for (let row = 0; row < pixels; row += PIXELS) {
      const kc = min(PIXELS, pixels - row);
      packB(g + <usize>row * ldw + atF, ldw, 4, kc, f, bufB, <usize>kc << 5);
      for (let k0 = 0; k0 < k; k0 += ROWS) {
        const mc = min(ROWS, k - k0);
        packWindowsTransposed(s, image, c, row, kc, k0, mc, bufA);
        macroKernel(mc, f, kc, bufA, bufB, <usize>kc << 5, dw + <usize>k0 * ldw + atF, ldw, row > 0 ? ACCUMULATE : 0, 0, ws);
      }
    }
  }
}

/** dx = gradient of the image for the output gradient g. Stride 1 is a convolution with the flipped kernel; otherwise products scatter. */
export function convInputGradient(desc: usize, g: usize, w: usize, dx: usize, ws: usize): void {
  const s = changetype<Shape>(desc);
  if (isDepthwise(s)) return depthwiseInputGradient(s, g, w, dx);
  const c = s.channels / s.groups;
  const f = s.filters / s.groups;
  const ldw = <usize>s.filters << 2;
  const ldx = <usize>s.channels << 2;
  const k = taps(s) * c;
  const rows = s.batch * s.outHeight * s.outWidth;
  if (isPointwise(s)) {
    for (let group = 0; group < s.groups; group++) {
      const atF = <usize>(group * f) << 2;
      gemm(rows, c, f, g + atF, ldw, 4, w + atF, 4, ldw, dx + (<usize>(group * c) << 2), ldx, ws, 0, 0);
    }
    return;
  }
  const zeros = ws + HEADER;
  const bufA = zeros + (<usize>roundUp(s.kernelWidth * max(f, c), 16) << 2);
  memory.fill(zeros, 0, bufA - zeros);
  if (s.strideY == 1 && s.strideX == 1 && c >= 6) {
    const kf = taps(s) * f;
    const packed = bufA + (<usize>ROWS * <usize>min(kf, KC) << 2);
    const mirrored = changetype<Shape>(ws + 128);
    mirrored.batch = s.batch;
    mirrored.height = s.outHeight;
    mirrored.width = s.outWidth;
    mirrored.channels = s.filters;
    mirrored.kernelHeight = s.kernelHeight;
    mirrored.kernelWidth = s.kernelWidth;
    mirrored.filters = s.channels;
    mirrored.outHeight = s.height;
    mirrored.outWidth = s.width;
    mirrored.strideY = 1;
    mirrored.strideX = 1;
    mirrored.dilationY = s.dilationY;
    mirrored.dilationX = s.dilationX;
    mirrored.padTop = (s.kernelHeight - 1) * s.dilationY - s.padTop;
    mirrored.padLeft = (s.kernelWidth - 1) * s.dilationX - s.padLeft;
    mirrored.groups = s.groups;
    for (let group = 0; group < s.groups; group++) {
      const atF = <usize>(group * f) << 2;
      for (let t = 0; t < taps(s); t++) {
        const from = w + <usize>((taps(s) - 1 - t) * c) * ldw + atF;
        packB(from, 4, ldw, f, c, packed + (<usize>(t * f) << 5), <usize>kf << 5);
      }
      windowsTimes(mirrored, g + atF, f, kf, c, packed, dx + (<usize>(group * c) << 2), ldx, bufA, zeros, ws, 0, 0);
    }
    return;
  }
  memory.fill(dx, 0, <usize>(s.batch * s.height * s.width) * ldx);
  const columns = bufA + (<usize>ROWS * <usize>min(f, KC) << 2);
  const packed = columns + (<usize>ROWS * <usize>k << 2);
  for (let group = 0; group < s.groups; group++) {
    const atF = <usize>(group * f) << 2;
    // W^T, whole, in chunks of KC filters.
    for (let f0 = 0; f0 < f; f0 += KC) {
      const fc = min(KC, f - f0);
      packB(w + atF + (<usize>f0 << 2), 4, ldw, fc, k, packed + (<usize>f0 * <usize>roundUp(k, NR) << 2), <usize>fc << 5);
    }
    for (let row = 0; row < rows; row += ROWS) {
      const mc = min(ROWS, rows - row);
      for (let f0 = 0; f0 < f; f0 += KC) {
        const fc = min(KC, f - f0);
        packGradient(g + <usize>row * ldw + atF + (<usize>f0 << 2), ldw, mc, fc, bufA);
        const chunk = packed + (<usize>f0 * <usize>roundUp(k, NR) << 2);
        macroKernel(mc, k, fc, bufA, chunk, <usize>fc << 5, columns, <usize>k << 2, f0 > 0 ? ACCUMULATE : 0, 0, ws);
      }
      scatterWindows(s, columns, c, k, row, mc, dx + (<usize>(group * c) << 2));
    }
  }
}

function packGradient(src: usize, rs: usize, m: i32, k: i32, dst: usize): void {
  for (let i = 0; i < m; i += MR) {
    const last = src + <usize>(m - 1 - i) * rs;
    dst = packRows(src, min(src + rs, last), min(src + 2 * rs, last), min(src + 3 * rs, last), k, dst, 16);
    src += rs << 2;
  }
}

/** Adds the columns of output pixels [row, row + rows) onto the image they were windows of. */
function scatterWindows(s: Shape, columns: usize, c: i32, k: i32, row: i32, rows: i32, image: usize): void {
  const pixel = <usize>s.channels << 2;
  const vectors = <usize>(c & ~3) << 2;
  locate(s, image, row);
  for (let i = 0; i < rows; i++) {
    if (i > 0) advance(s);
    const y = originY;
    const x = originX;
    const base = originPtr;
    let p = columns + (<usize>i * <usize>k << 2);
    for (let kh = 0; kh < s.kernelHeight; kh++) {
      const ky = kh * s.dilationY;
      for (let kw = 0; kw < s.kernelWidth; kw++) {
        const kx = kw * s.dilationX;
        if (inside(y + ky, x + kx, s)) {
          const q = base + <usize>(ky * s.width + kx) * pixel;
          let t: usize = 0;
          for (; t < vectors; t += 16) v128.store(q + t, f32x4.add(v128.load(q + t), v128.load(p + t)));
          for (; t < <usize>c << 2; t += 4) store<f32>(q + t, load<f32>(q + t) + load<f32>(p + t));
        }
        p += <usize>c << 2;
      }
    }
  }
}
