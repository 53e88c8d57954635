// Windows of an NHWC image as matrix panels, and back.
import { MR, packRows } from "./gemm";

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
@inline export function taps(s: Shape): i32 {
  return s.kernelHeight * s.kernelWidth;
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
export function packWindows(s: Shape, image: usize, c: i32, row: i32, rows: i32, k0: i32, kc: i32, dst: usize, zeros: usize): void {
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

/** Packs window elements as rows and output pixels as steps, the transpose of `packWindows`, for rows [k0, k0 + mc). */
export function packWindowsTransposed(s: Shape, image: usize, c: i32, row: i32, pixels: i32, k0: i32, mc: i32, dst: usize): void {
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

/** Adds the columns of output pixels [row, row + rows) onto the image they were windows of. */
export function scatterWindows(s: Shape, columns: usize, c: i32, k: i32, row: i32, rows: i32, image: usize): void {
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
