import { describe, expect, it } from "vitest";
import { noise, put, testKernels } from "./testing.js";
import type { WindowShape } from "./window-shape.js";

interface Case {
  readonly image: readonly [batch: number, height: number, width: number, channels: number];
  readonly kernel: readonly [height: number, width: number, filters: number];
  readonly stride?: readonly [number, number];
  readonly dilation?: readonly [number, number];
  /** top, bottom, left, right */
  readonly pad?: readonly [number, number, number, number];
  readonly groups?: number;
}
const cases: Case[] = [
  { image: [2, 7, 9, 1], kernel: [3, 3, 5] },
  { image: [2, 28, 28, 1], kernel: [3, 3, 32], pad: [1, 1, 1, 1] },
  { image: [1, 11, 13, 3], kernel: [5, 3, 8], stride: [2, 2], pad: [2, 2, 1, 1] },
  { image: [2, 9, 8, 16], kernel: [3, 3, 24], pad: [1, 1, 1, 1] },
  { image: [1, 14, 14, 40], kernel: [3, 3, 9], pad: [0, 1, 1, 0] },
  { image: [1, 6, 6, 300], kernel: [2, 2, 11] },
  { image: [2, 9, 9, 6], kernel: [3, 3, 7], dilation: [2, 2], pad: [2, 2, 2, 2] },
  { image: [2, 12, 10, 8], kernel: [3, 2, 12], stride: [3, 2], dilation: [1, 2], pad: [1, 0, 2, 1] },
  { image: [3, 5, 7, 12], kernel: [1, 1, 20] },
  { image: [2, 7, 7, 10], kernel: [1, 1, 6], stride: [2, 2] },
  { image: [2, 8, 8, 12], kernel: [3, 3, 18], groups: 3, pad: [1, 1, 1, 1] },
  { image: [1, 8, 9, 10], kernel: [3, 3, 20], groups: 10, pad: [1, 1, 1, 1] },
  { image: [2, 5, 6, 8], kernel: [1, 1, 4], groups: 2 },
  { image: [2, 9, 11, 7], kernel: [3, 3, 7], groups: 7, pad: [1, 1, 1, 1] },
  { image: [2, 9, 11, 32], kernel: [5, 3, 32], groups: 32, stride: [2, 3], pad: [2, 1, 0, 2] },
  { image: [1, 10, 10, 13], kernel: [3, 3, 13], groups: 13, dilation: [2, 3], pad: [2, 2, 3, 3] },
  { image: [2, 1, 50, 5], kernel: [1, 7, 9], pad: [0, 0, 3, 3] },
  { image: [1, 4, 4, 8], kernel: [3, 3, 8], pad: [4, 4, 4, 4] },
  { image: [1, 9, 9, 8], kernel: [2, 2, 8], pad: [-2, -1, -1, -2] },
];

function shapeOf(c: Case): WindowShape & { filters: number; groups: number } {
  const [batch, height, width, channels] = c.image;
  const [kernelHeight, kernelWidth, filters] = c.kernel;
  const [strideY, strideX] = c.stride ?? [1, 1];
  const [dilationY, dilationX] = c.dilation ?? [1, 1];
  const [top, bottom, left, right] = c.pad ?? [0, 0, 0, 0];
  const out = (size: number, kernel: number, stride: number, dilation: number): number =>
    Math.floor((size - (kernel - 1) * dilation - 1) / stride) + 1;
  return {
    ...{ batch, height, width, channels, kernelHeight, kernelWidth, filters },
    outHeight: out(height + top + bottom, kernelHeight, strideY, dilationY),
    outWidth: out(width + left + right, kernelWidth, strideX, dilationX),
    ...{ strideY, strideX, dilationY, dilationX, padTop: top, padLeft: left, groups: c.groups ?? 1 },
  };
}

/** Calls `visit` with the indices of x, w and y of every product of the convolution. */
function products(c: Case, visit: (x: number, w: number, y: number) => void): void {
  const s = shapeOf(c);
  const perGroup = [s.channels / s.groups, s.filters / s.groups] as const;
  for (let n = 0; n < s.batch; n++) {
    for (let oy = 0; oy < s.outHeight; oy++) {
      for (let ox = 0; ox < s.outWidth; ox++) {
        for (let kh = 0; kh < s.kernelHeight; kh++) {
          for (let kw = 0; kw < s.kernelWidth; kw++) {
            const iy = oy * s.strideY! - s.padTop! + kh * s.dilationY!;
            const ix = ox * s.strideX! - s.padLeft! + kw * s.dilationX!;
            if (iy < 0 || ix < 0 || iy >= s.height || ix >= s.width) continue;
            for (let f = 0; f < s.filters; f++) {
              const group = Math.floor(f / perGroup[1]);
              for (let i = 0; i < perGroup[0]; i++) {
                visit(
                  ((n * s.height + iy) * s.width + ix) * s.channels + group * perGroup[0] + i,
                  ((kh * s.kernelWidth + kw) * perGroup[0] + i) * s.filters + f,
                  ((n * s.outHeight + oy) * s.outWidth + ox) * s.filters + f,
                );
              }
            }
          }
        }
      }
    }
  }
}

/** Sums of a few hundred products of numbers below 1 differ by less; a wrong product would differ by far more. */
function near(got: Float32Array, expected: Float64Array): void {
  let worst = 0;
  got.forEach((x, i) => (worst = Math.max(worst, Math.abs(x - expected[i]!))));
  expect(worst).toBeLessThan(5e-5);
}

describe.each([false, true])("convolution, fma %s", (fma) => {
  const kernels = testKernels(fma);
  const { heap } = kernels;

  it.each(cases)("$image * $kernel groups $groups", (c) => {
    const s = shapeOf(c);
    const sizes = {
      x: s.batch * s.height * s.width * s.channels,
      w: (s.kernelHeight * s.kernelWidth * s.channels * s.filters) / s.groups,
      y: s.batch * s.outHeight * s.outWidth * s.filters,
    };
    const x = noise(sizes.x, 1);
    const w = noise(sizes.w, 2);
    const g = noise(sizes.y, 3);
    const bias = noise(s.filters, 4);
    const [px, pw, pg, pb] = [x, w, g, bias].map((v) => put(kernels, v)) as [number, number, number, number];
    const guard = 16;
    const fresh = (size: number): number => put(kernels, new Float32Array(size + guard).fill(5));
    const read = (ptr: number, size: number): Float32Array => {
      const all = heap.view(ptr, "float32", size + guard);
      expect(all.subarray(size).every((v) => v === 5)).toBe(true);
      return all.subarray(0, size);
    };
    const expected = { y: new Float64Array(sizes.y), dw: new Float64Array(sizes.w), dx: new Float64Array(sizes.x) };
    products(c, (ix, iw, iy) => {
      expected.y[iy]! += x[ix]! * w[iw]!;
      expected.dw[iw]! += x[ix]! * g[iy]!;
      expected.dx[ix]! += w[iw]! * g[iy]!;
    });

    const [py, pdw, pdx, pr] = [fresh(sizes.y), fresh(sizes.w), fresh(sizes.x), fresh(sizes.y)];
    kernels.convForward(s, px, pw, py);
    near(read(py, sizes.y), expected.y);
    kernels.convForward(s, px, pw, pr, { bias: pb, relu: true });
    near(
      read(pr, sizes.y),
      expected.y.map((v, i) => Math.max(0, v + bias[i % s.filters]!)),
    );
    kernels.convKernelGradient(s, px, pg, pdw);
    near(read(pdw, sizes.w), expected.dw);
    kernels.convInputGradient(s, pg, pw, pdx);
    near(read(pdx, sizes.x), expected.dx);
    for (const ptr of [px, pw, pg, pb, py, pdw, pdx, pr]) heap.free(ptr);
  });
});
