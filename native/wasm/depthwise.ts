// Depthwise convolution with one filter a channel: vectors run over channels, windows over taps.
import { ACCUMULATE, BIAS, RELU } from "./gemm";
import { Shape } from "./conv";
import { endTap, firstTap, madd, maxNaN, storeLanes } from "./simd";

// Channels past the last multiple of four are read as a whole vector and stored one by one.

export function depthwiseForward(s: Shape, x: usize, w: usize, y: usize, mode: i32, bias: usize): void {
  const c = s.channels;
  const pixel = <usize>c << 2;
  for (let n = 0; n < s.batch; n++) {
    for (let oy = 0; oy < s.outHeight; oy++) {
      const iy = oy * s.strideY - s.padTop;
      const h0 = firstTap(iy, s.dilationY);
      const h1 = endTap(iy, s.dilationY, s.kernelHeight, s.height);
      for (let ox = 0; ox < s.outWidth; ox++) {
        const ix = ox * s.strideX - s.padLeft;
        const w0 = firstTap(ix, s.dilationX);
        const w1 = endTap(ix, s.dilationX, s.kernelWidth, s.width);
        for (let ch = 0; ch < c; ch += 4) {
          const lane = <usize>ch << 2;
          let sum = f32x4.splat(0);
          for (let kh = h0; kh < h1; kh++) {
            let p = x + <usize>((n * s.height + iy + kh * s.dilationY) * s.width + ix + w0 * s.dilationX) * pixel + lane;
            let q = w + <usize>(kh * s.kernelWidth + w0) * pixel + lane;
            for (let kw = w0; kw < w1; kw++) {
              sum = madd(v128.load(p), v128.load(q), sum);
              p += <usize>s.dilationX * pixel;
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
  for (let n = 0; n < s.batch; n++) {
    for (let iy = 0; iy < s.height; iy++) {
      for (let ix = 0; ix < s.width; ix++) {
        for (let ch = 0; ch < c; ch += 4) {
          const lane = <usize>ch << 2;
          let sum = f32x4.splat(0);
          for (let kh = 0; kh < s.kernelHeight; kh++) {
            const ty = iy + s.padTop - kh * s.dilationY;
            if (ty < 0) continue;
            const oy = ty / s.strideY;
            if (oy >= s.outHeight || oy * s.strideY != ty) continue;
            for (let kw = 0; kw < s.kernelWidth; kw++) {
              const tx = ix + s.padLeft - kw * s.dilationX;
              if (tx < 0) continue;
              const ox = tx / s.strideX;
              if (ox >= s.outWidth || ox * s.strideX != tx) continue;
              const q = g + <usize>((n * s.outHeight + oy) * s.outWidth + ox) * pixel + lane;
              sum = madd(v128.load(q), v128.load(w + <usize>(kh * s.kernelWidth + kw) * pixel + lane), sum);
            }
          }
          storeLanes(dx + lane, sum, c - ch);
        }
        dx += pixel;
      }
    }
  }
}
