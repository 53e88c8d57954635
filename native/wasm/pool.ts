// Pooling of NHWC images; vectors run over channels. The geometry is that of a convolution without kernel channels (windows.ts).
import { Shape } from "./windows";
import { endTap, firstTap, maxNaN, storeLanes } from "./simd";

export const POOL_MAX: i32 = 0;
export const POOL_SUM: i32 = 1;
export const POOL_MEAN: i32 = 2; // over the window's pixels inside the image

export function pool(desc: usize, x: usize, y: usize, mode: i32): void {
  const s = changetype<Shape>(desc);
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
        const share = f32x4.splat(1 / <f32>max(1, (h1 - h0) * (w1 - w0)));
        const base = x + <usize>((n * s.height + iy) * s.width + ix) * pixel;
        let ch = 0;
        for (; ch + 8 <= c && mode == POOL_MAX; ch += 8) {
          let a = f32x4.splat(-Infinity);
          let b = a;
          let nanA = f32x4.splat(0);
          let nanB = nanA;
          for (let kh = h0; kh < h1; kh++) {
            let p = base + <usize>(kh * s.dilationY * s.width + w0 * s.dilationX) * pixel + (<usize>ch << 2);
            for (let kw = w0; kw < w1; kw++) {
              const u = v128.load(p);
              const v = v128.load(p, 16);
              a = f32x4.pmax(a, u);
              b = f32x4.pmax(b, v);
              nanA = v128.or(nanA, f32x4.ne(u, u));
              nanB = v128.or(nanB, f32x4.ne(v, v));
              p += stepX;
            }
          }
          const out = y + (<usize>ch << 2);
          // All ones is a NaN.
          v128.store(out, v128.or(a, nanA));
          v128.store(out, v128.or(b, nanB), 16);
        }
        for (; ch < c; ch += 4) {
          let value = f32x4.splat(mode == POOL_MAX ? -Infinity : 0);
          for (let kh = h0; kh < h1; kh++) {
            let p = base + <usize>(kh * s.dilationY * s.width + w0 * s.dilationX) * pixel + (<usize>ch << 2);
            for (let kw = w0; kw < w1; kw++) {
              const v = v128.load(p);
              value = mode == POOL_MAX ? maxNaN(value, v) : f32x4.add(value, v);
              p += stepX;
            }
          }
          if (mode == POOL_MEAN) value = f32x4.mul(value, share);
          storeLanes(y + (<usize>ch << 2), value, c - ch);
        }
        y += pixel;
      }
    }
  }
}

/** dx += g at the first maximum of each window in row-major order, as XLA's select-and-scatter with >= picks it. */
export function maxPoolGradient(desc: usize, x: usize, g: usize, dx: usize): void {
  scatter(desc, x, g, dx, POOL_MAX);
}

/** dx += g (POOL_SUM) or g divided by the pixels inside (POOL_MEAN) over each window. */
export function sumPoolGradient(desc: usize, g: usize, dx: usize, mode: i32): void {
  scatter(desc, 0, g, dx, mode);
}

function scatter(desc: usize, x: usize, g: usize, dx: usize, mode: i32): void {
  const s = changetype<Shape>(desc);
  const c = s.channels;
  const pixel = <usize>c << 2;
  memory.fill(dx, 0, <usize>(s.batch * s.height * s.width) * pixel);
  for (let n = 0; n < s.batch; n++) {
    for (let oy = 0; oy < s.outHeight; oy++) {
      const iy = oy * s.strideY - s.padTop;
      const h0 = firstTap(iy, s.dilationY);
      const h1 = endTap(iy, s.dilationY, s.kernelHeight, s.height);
      for (let ox = 0; ox < s.outWidth; ox++) {
        const ix = ox * s.strideX - s.padLeft;
        const w0 = firstTap(ix, s.dilationX);
        const w1 = endTap(ix, s.dilationX, s.kernelWidth, s.width);
        const share = f32x4.splat(1 / <f32>max(1, (h1 - h0) * (w1 - w0)));
        const base = <usize>((n * s.height + iy) * s.width + ix) * pixel;
        for (let ch = 0; ch < c; ch += 4) {
          const lane = <usize>ch << 2;
          let grad = v128.load(g + lane);
          let best = f32x4.splat(-Infinity);
          let where = i32x4.splat(-1);
          if (mode == POOL_MEAN) grad = f32x4.mul(grad, share);
          if (mode == POOL_MAX) {
            for (let kh = h0; kh < h1; kh++) {
              let p = x + base + <usize>(kh * s.dilationY * s.width + w0 * s.dilationX) * pixel + lane;
              for (let kw = w0; kw < w1; kw++) {
                const v = v128.load(p);
                const at = i32x4.splat(kh * s.kernelWidth + kw);
                const keep = v128.and(f32x4.ge(best, v), i32x4.ne(where, i32x4.splat(-1)));
                best = v128.bitselect(best, v, keep);
                where = v128.bitselect(where, at, keep);
                p += <usize>s.dilationX * pixel;
              }
            }
          }
          for (let kh = h0; kh < h1; kh++) {
            let q = dx + base + <usize>(kh * s.dilationY * s.width + w0 * s.dilationX) * pixel + lane;
            for (let kw = w0; kw < w1; kw++) {
              let add = grad;
              if (mode == POOL_MAX) add = v128.and(grad, i32x4.eq(where, i32x4.splat(kh * s.kernelWidth + kw)));
              storeLanes(q, f32x4.add(v128.load(q), add), c - ch);
              q += <usize>s.dilationX * pixel;
            }
          }
        }
        g += pixel;
      }
    }
  }
}
