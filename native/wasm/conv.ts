// 2-D convolution of NHWC images with HWIO kernels as matrix products over output pixels. Nothing is unrolled into a matrix in memory:
// panels are packed straight from the image, which costs what packing a matrix costs.
import { ACCUMULATE, BIAS, RELU } from "./epilogue";
import { KC, MR, NR, gemm, gemmWorkspace, macroKernel, packB, packRows } from "./gemm";
import { depthwiseForward, depthwiseInputGradient, depthwiseKernelGradient } from "./depthwise";
import { roundUp } from "./simd";
import { Shape, packWindows, packWindowsTransposed, scatterWindows, taps } from "./windows";

const ROWS: i32 = 192;
const PIXELS: i32 = 256;
/** Workspace starts with the scratch tile and the geometry of the mirrored convolution. */
const HEADER: usize = 256;

// @ts-ignore: decorator
@inline function isPointwise(s: Shape): bool {
  return taps(s) == 1 && s.strideY == 1 && s.strideX == 1 && s.padTop == 0 && s.padLeft == 0 && s.outHeight == s.height && s.outWidth == s.width;
}

// @ts-ignore: decorator
@inline function isDepthwise(s: Shape): bool {
  return s.groups > 1 && s.groups == s.channels && s.filters == s.channels;
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
