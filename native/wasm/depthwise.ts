// Depthwise convolution with one filter a channel: vectors run over channels, windows over taps.
import { ACCUMULATE, BIAS, RELU, finish } from "./epilogue";
import { Shape } from "./windows";
import { endTap, firstTap, madd, maxNaN, storeLanes } from "./simd";

// Channels past the last multiple of four are read as a whole vector and stored one by one.

export function depthwiseForward(s: Shape, x: usize, w: usize, y: usize, mode: i32, bias: usize): void {
  const c = s.channels;
  const pixel = <usize>c << 2;
  const stepX = <usize>s.dilationX * pixel;
  for (let n = 0; n < s.batch; n++) {
    for (let oy = 0; oy < s.outHeight; oy++) {
      const iy = oy * s.strideY - s.padTop;
      const h0 = firstTap(iy, s.dilationY);
      const h1 = endTap(iy, s.dilationY, s.kernelHeight, s.height);
      for (let ox = 0; ox < s.outWidth; ox++) {
        const ix = ox * s.strideX - s.padLeft;
        const w0 = firstTap(ix, s.dilationX);
        const w1 = endTap(ix, s.dilationX, s.kernelWidth, s.width);
        let ch = 0;
        for (; ch + 16 <= c; ch += 16) {
          const lane = <usize>ch << 2;
          let s0 = f32x4.splat(0);
          let s1 = s0;
          let s2 = s0;
          let s3 = s0;
          for (let kh = h0; kh < h1; kh++) {
            let p = x + <usize>((n * s.height + iy + kh * s.dilationY) * s.width + ix + w0 * s.dilationX) * pixel + lane;
            let q = w + <usize>(kh * s.kernelWidth + w0) * pixel + lane;
            for (let kw = w0; kw < w1; kw++) {
              s0 = madd(v128.load(p), v128.load(q), s0);
              s1 = madd(v128.load(p, 16), v128.load(q, 16), s1);
              s2 = madd(v128.load(p, 32), v128.load(q, 32), s2);
              s3 = madd(v128.load(p, 48), v128.load(q, 48), s3);
              p += stepX;
              q += pixel;
            }
          }
          const out = y + lane;
          finish(out, s0, mode, bias + lane);
          finish(out + 16, s1, mode, bias + lane + 16);
          finish(out + 32, s2, mode, bias + lane + 32);
          finish(out + 48, s3, mode, bias + lane + 48);
        }
        for (; ch < c; ch += 4) {
          const lane = <usize>ch << 2;
          let sum = f32x4.splat(0);
          for (let kh = h0; kh < h1; kh++) {
            let p = x + <usize>((n * s.height + iy + kh * s.dilationY) * s.width + ix + w0 * s.dilationX) * pixel + lane;
            let q = w + <usize>(kh * s.kernelWidth + w0) * pixel + lane;
            for (let kw = w0; kw < w1; kw++) {
              sum = madd(v128.load(p), v128.load(q), sum);
              p += stepX;
              q += pixel;
            }
          }
          if (mode & ACCUMULATE) sum = f32x4.add(v128.load(y + lane), sum);
          if (mode & BIAS) sum = f32x4.add(sum, v128.load(bias + lane));
          if (mode & RELU) sum = maxNaN(sum, f32x4.splat(0));
          storeLanes(y + lane, sum, c - ch);
        }
        y += pixel;
      }
    }
  }
}

export function depthwiseKernelGradient(s: Shape, x: usize, g: usize, dw: usize, ws: usize): void {
  const c = s.channels;
  const pixel = <usize>c << 2;
  memory.fill(dw, 0, <usize>(s.kernelHeight * s.kernelWidth) * pixel);
  for (let n = 0; n < s.batch; n++) {
    for (let oy = 0; oy < s.outHeight; oy++) {
      for (let kh = 0; kh < s.kernelHeight; kh++) {
        const iy = oy * s.strideY - s.padTop + kh * s.dilationY;
        if (<u32>iy >= <u32>s.height) continue;
        for (let kw = 0; kw < s.kernelWidth; kw++) {
          const shift = kw * s.dilationX - s.padLeft;
          const from = shift >= 0 ? 0 : (s.strideX - 1 - shift) / s.strideX;
          const to = shift >= s.width ? 0 : min(s.outWidth, (s.width - 1 - shift) / s.strideX + 1);
          const d = dw + <usize>(kh * s.kernelWidth + kw) * pixel;
          for (let ch = 0; ch < c; ch += 4) {
            const lane = <usize>ch << 2;
            let p = x + <usize>((n * s.height + iy) * s.width + from * s.strideX + shift) * pixel + lane;
            let q = g + <usize>((n * s.outHeight + oy) * s.outWidth + from) * pixel + lane;
            let sum = f32x4.splat(0);
            for (let ox = from; ox < to; ox++) {
              sum = madd(v128.load(p), v128.load(q), sum);
              p += <usize>s.strideX * pixel;
              q += pixel;
            }
            storeLanes(d + lane, f32x4.add(v128.load(d + lane), sum), c - ch);
          }
        }
      }
    }
  }
}

export function depthwiseInputGradient(s: Shape, g: usize, w: usize, dx: usize): void {
  const c = s.channels;
  const pixel = <usize>c << 2;
  // Taps whose output position is whole come every `everyY` rows and `everyX` columns.
  const everyY = s.strideY / gcd(s.strideY, s.dilationY);
  const everyX = s.strideX / gcd(s.strideX, s.dilationX);
  const backY = (everyY * s.dilationY) / s.strideY;
  const backX = (everyX * s.dilationX) / s.strideX;
  const stepG = <usize>backX * pixel;
  const stepW = <usize>everyX * pixel;
  for (let n = 0; n < s.batch; n++) {
    for (let iy = 0; iy < s.height; iy++) {
      let kh0 = firstWhole(iy + s.padTop, s.dilationY, s.strideY, everyY, s.outHeight);
      for (let ix = 0; ix < s.width; ix++) {
        const kw0 = firstWhole(ix + s.padLeft, s.dilationX, s.strideX, everyX, s.outWidth);
        const ox0 = (ix + s.padLeft - kw0 * s.dilationX) / s.strideX;
        const oy0 = (iy + s.padTop - kh0 * s.dilationY) / s.strideY;
        for (let ch = 0; ch < c; ch += 8) {
          const lane = <usize>ch << 2;
          let s0 = f32x4.splat(0);
          let s1 = s0;
          let oy = oy0;
          for (let kh = kh0; kh < s.kernelHeight && oy >= 0; kh += everyY) {
            let q = g + <usize>((n * s.outHeight + oy) * s.outWidth + ox0) * pixel + lane;
            let p = w + <usize>(kh * s.kernelWidth + kw0) * pixel + lane;
            let ox = ox0;
            for (let kw = kw0; kw < s.kernelWidth && ox >= 0; kw += everyX) {
              s0 = madd(v128.load(q), v128.load(p), s0);
              s1 = madd(v128.load(q, 16), v128.load(p, 16), s1);
              q -= stepG;
              p += stepW;
              ox -= backX;
            }
            oy -= backY;
          }
          storeLanes(dx + lane, s0, c - ch);
          if (ch + 4 < c) storeLanes(dx + lane + 16, s1, c - ch - 4);
        }
        dx += pixel;
      }
    }
  }
}

function gcd(a: i32, b: i32): i32 {
  while (b) {
    const t = a % b;
    a = b;
    b = t;
  }
  return a;
}

/** First tap k with (at - k * dilation) / stride a whole number below `size`; some large k when there is none. */
function firstWhole(at: i32, dilation: i32, stride: i32, every: i32, size: i32): i32 {
  let k = 0;
  while (k < every && (at - k * dilation) % stride) k++;
  if (k == every) return 1 << 16;
  while ((at - k * dilation) / stride >= size) k += every;
  return k;
}
