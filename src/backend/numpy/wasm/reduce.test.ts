import { describe, expect, it } from "vitest";
import { noise, put, testKernels } from "./testing.js";

const kernels = testKernels(false);
const { heap } = kernels;
const shapes = [
  [1, 1, 1],
  [5, 7, 1],
  [3, 1000, 1],
  [1, 300, 1],
  [1, 77, 23],
  [4, 9, 5],
  [2, 33, 64],
  [3, 2, 3],
  [2, 0, 3],
  [2, 2047, 1],
  [1, 5000, 1],
  [2, 41, 6],
] as const;
const folds = {
  sum: (values: number[]) => values.reduce((a, b) => a + b, 0),
  max: (values: number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity),
  min: (values: number[]) => values.reduce((a, b) => Math.min(a, b), Infinity),
  prod: (values: number[]) => values.reduce((a, b) => a * b, 1),
} as const;

const column = (x: ArrayLike<number>, o: number, j: number, n: number, inner: number): number[] =>
  Array.from({ length: n }, (_, i) => x[(o * n + i) * inner + j]!);

describe.each(shapes)("reductions of [%i, %i, %i] over the middle", (outer, n, inner) => {
  it.each(["sum", "max", "min", "prod"] as const)("%s", (kind) => {
    const x = noise(outer * n * inner, 3);
    const px = put(kernels, x);
    const py = put(kernels, new Float32Array(outer * inner + 4).fill(9));
    kernels.reduce(kind, px, py, outer, n, inner);
    const y = heap.view(py, "float32", outer * inner + 4);
    for (let i = 0; i < outer * inner; i++) {
      const expected = folds[kind](column(x, Math.floor(i / inner), i % inner, n, inner));
      if (Number.isFinite(expected)) expect(Math.abs(y[i]! - expected)).toBeLessThan(1e-6 * (1 + Math.abs(expected)));
      else expect(y[i]).toBe(expected);
    }
    expect([...y.subarray(outer * inner)]).toEqual([9, 9, 9, 9]);
  });

  it.each(["max", "min"] as const)("arg%s is the first, and NaN wins", (kind) => {
    if (n === 0) return expect(heap.allocations).toBeGreaterThan(0);
    for (const nans of [false, true]) {
      const x = noise(outer * n * inner, 4).map((v, i) => (nans && i % 13 === 5 ? NaN : Math.round(v * 5)));
      const px = put(kernels, x);
      const py = put(kernels, new Int32Array(outer * inner + 4).fill(9), "int32");
      kernels.argExtreme(kind, px, py, outer, n, inner);
      const y = heap.view(py, "int32", outer * inner + 4);
      for (let i = 0; i < outer * inner; i++) {
        const values = column(x, Math.floor(i / inner), i % inner, n, inner);
        const nan = values.findIndex(Number.isNaN);
        expect(y[i]).toBe(nan >= 0 ? nan : values.indexOf(folds[kind](values)));
      }
      expect([...y.subarray(outer * inner)]).toEqual([9, 9, 9, 9]);
    }
  });
});

it("sums ten million tenths to within 1e-6, along rows and along columns", () => {
  const n = 10_000_000;
  const px = heap.malloc(n * 4);
  const x = heap.view(px, "float32", n).fill(0.1);
  const exact = x[0]! * n;
  const py = heap.malloc(64);
  kernels.reduce("sum", px, py, 1, n, 1);
  expect(Math.abs(heap.view(py, "float32", 1)[0]! / exact - 1)).toBeLessThan(1e-6);
  kernels.reduce("sum", px, py, 1, n / 5, 5);
  for (const y of heap.view(py, "float32", 5)) expect(Math.abs((y * 5) / exact - 1)).toBeLessThan(1e-6);
  heap.free(px);
});

describe.each([
  [40, 1],
  [2500, 1],
  [4, 10],
  [19, 7],
])("maxima and minima of [%i, %i]", (n, inner) => {
  const extremes = (x: Float32Array): Record<"max" | "min", number[]> => {
    const px = put(kernels, x);
    const py = heap.malloc(inner * 4);
    const read = (kind: "max" | "min"): number[] => {
      kernels.reduce(kind, px, py, 1, n, inner);
      return [...heap.view(py, "float32", inner)];
    };
    return { max: read("max"), min: read("min") };
  };

  it("are NaN where any element is, wherever it lies", () => {
    for (let at = 0; at < n * inner; at += 1 + Math.floor((n * inner) / 90)) {
      const x = noise(n * inner, 1);
      x[at] = NaN;
      const expected = Array.from({ length: inner }, (_, j) => j === at % inner);
      const { max, min } = extremes(x);
      expect(max.map(Number.isNaN)).toEqual(expected);
      expect(min.map(Number.isNaN)).toEqual(expected);
    }
  });

  it("are infinite, not NaN, where infinities of both signs or sums beyond float32 are", () => {
    const x = noise(n * inner, 2)
      .fill(Infinity, 0, inner)
      .fill(-Infinity, inner, 2 * inner);
    expect(extremes(x)).toEqual({ max: Array(inner).fill(Infinity), min: Array(inner).fill(-Infinity) });
    const large = noise(n * inner, 3).map((v, i) => (i % (2 * inner) < inner ? 3e38 : -3e38) + 0 * v);
    const [most, least] = [Math.fround(3e38), Math.fround(-3e38)];
    expect(extremes(large)).toEqual({ max: Array(inner).fill(most), min: Array(inner).fill(least) });
  });
});

it("finds the first of equal extremes and the first NaN across the blocks of a long row", () => {
  const n = 7000;
  const py = heap.malloc(64);
  for (const [at, again] of [
    [0, 6999],
    [2047, 2048],
    [2048, 4096],
    [6999, 6999],
  ] as const) {
    for (const value of [5, NaN]) {
      const x = noise(n, 6);
      x[at] = x[again] = value;
      if (Number.isNaN(value) && at > 100) x[3] = 9;
      kernels.argExtreme("max", put(kernels, x), py, 1, n, 1);
      expect(heap.view(py, "int32", 1)[0]).toBe(at);
      kernels.argExtreme("min", put(kernels, Number.isNaN(value) ? x : x.map((v) => -v)), py, 1, n, 1);
      expect(heap.view(py, "int32", 1)[0]).toBe(at);
    }
  }
});
