import { describe, expect, it } from "vitest";
import { noise, put, testKernels } from "./testing.js";
import type { WindowShape } from "./window-shape.js";

const kernels = testKernels(false);
const { heap } = kernels;
const base = { batch: 2, height: 9, width: 8, channels: 5, kernelHeight: 2, kernelWidth: 2, outHeight: 4, outWidth: 4 };
const cases: WindowShape[] = [
  { ...base, strideY: 2, strideX: 2 },
  { ...base, kernelHeight: 3, kernelWidth: 3, outHeight: 9, outWidth: 8, padTop: 1, padLeft: 1 },
  { ...base, channels: 16, kernelHeight: 3, outHeight: 5, strideY: 2, strideX: 2, padTop: 1 },
  { ...base, channels: 3, kernelHeight: 2, kernelWidth: 3, outHeight: 7, outWidth: 4, dilationY: 2, dilationX: 2 },
];

/** Visits each output element with the indices of the image elements in its window, in row-major order. */
function windows(s: WindowShape, visit: (out: number, inside: number[]) => void): void {
  const { strideY = 1, strideX = 1, dilationY = 1, dilationX = 1, padTop = 0, padLeft = 0 } = s;
  let out = 0;
  for (let n = 0; n < s.batch; n++) {
    for (let oy = 0; oy < s.outHeight; oy++) {
      for (let ox = 0; ox < s.outWidth; ox++) {
        for (let c = 0; c < s.channels; c++, out++) {
          const inside: number[] = [];
          for (let kh = 0; kh < s.kernelHeight; kh++) {
            for (let kw = 0; kw < s.kernelWidth; kw++) {
              const iy = oy * strideY - padTop + kh * dilationY;
              const ix = ox * strideX - padLeft + kw * dilationX;
              if (iy < 0 || ix < 0 || iy >= s.height || ix >= s.width) continue;
              inside.push(((n * s.height + iy) * s.width + ix) * s.channels + c);
            }
          }
          visit(out, inside);
        }
      }
    }
  }
}

describe.each(cases)("pooling $kernelHeight x $kernelWidth over $channels channels", (s) => {
  const size = s.batch * s.height * s.width * s.channels;
  const outSize = s.batch * s.outHeight * s.outWidth * s.channels;
  // Few distinct values, so that windows have ties.
  const x = noise(size, 6).map((v) => Math.round(v * 3));
  const g = noise(outSize, 7);
  const [px, pg] = [put(kernels, x), put(kernels, g)] as [number, number];
  const fresh = (n: number): number => put(kernels, new Float32Array(n + 8).fill(5));
  const check = (ptr: number, expected: Float64Array): void => {
    const got = heap.view(ptr, "float32", expected.length + 8);
    expected.forEach((v, i) => expect(got[i]).toBeCloseTo(v, 5));
    expect(got.subarray(expected.length).every((v) => v === 5)).toBe(true);
  };

  it("takes maxima, sums and means", () => {
    for (const kind of ["max", "sum", "mean"] as const) {
      const py = fresh(outSize);
      kernels.pool(kind, s, px, py);
      const expected = new Float64Array(outSize);
      windows(s, (out, inside) => {
        const values = inside.map((i) => x[i]!);
        const sum = values.reduce((a, b) => a + b, 0);
        expected[out] = kind === "max" ? Math.max(...values) : kind === "sum" ? sum : sum / values.length;
      });
      check(py, expected);
    }
  });

  it("sends the gradient of a maximum to the first one", () => {
    const pdx = fresh(size);
    kernels.maxPoolGradient(s, px, pg, pdx);
    const expected = new Float64Array(size);
    windows(s, (out, inside) => {
      const values = inside.map((i) => x[i]!);
      expected[inside[values.indexOf(Math.max(...values))]!]! += g[out]!;
    });
    check(pdx, expected);
  });

  it("spreads the gradient of sums and means", () => {
    for (const kind of ["sum", "mean"] as const) {
      const pdx = fresh(size);
      kernels.sumPoolGradient(kind, s, pg, pdx);
      const expected = new Float64Array(size);
      windows(s, (out, inside) => {
        for (const i of inside) expected[i]! += g[out]! / (kind === "mean" ? inside.length : 1);
      });
      check(pdx, expected);
    }
  });
});

it("lets NaN win a maximum", () => {
  const x = put(kernels, [1, NaN, 3, 2]);
  const y = put(kernels, [0]);
  kernels.pool("max", { ...base, batch: 1, height: 2, width: 2, channels: 1, outHeight: 1, outWidth: 1 }, x, y);
  expect(heap.view(y, "float32", 1)[0]).toBeNaN();
});
