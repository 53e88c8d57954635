import { describe, expect, it } from "vitest";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import { maxPool, type PoolAttributes } from "../../../primitives/index.js";
import { poolingKernels } from "./pooling.js";

const image = (values: number[][], dtype: "float32" | "int32" | "uint32" | "float16" = "float32"): NDArray =>
  NDArray.from(values, dtype).reshape([1, values.length, values[0]!.length, 1]);
const attributes: PoolAttributes = {
  window: [2, 2],
  strides: [2, 2],
  padding: [
    [0, 0],
    [0, 0],
  ],
};
const grid = (x: NDArray): unknown => x.reshape(x.shape.slice(1, -1)).toArray();

describe("pooling", () => {
  it("takes the largest of each window, NaN first, and the lowest value where there is none", () => {
    const x = image([
      [1, 5, 2, NaN],
      [3, 4, 9, 8],
    ]);
    const [y] = poolingKernels.maxPool([x], attributes, [{ shape: [1, 1, 2, 1], dtype: "float32" }]);
    expect(grid(y!)).toEqual([[5, NaN]]);
    const outside: PoolAttributes = {
      ...attributes,
      padding: [
        [2, 0],
        [0, 0],
      ],
    };
    const [z] = poolingKernels.maxPool(
      [
        image(
          [
            [-3, -7],
            [-9, -8],
          ],
          "int32",
        ),
      ],
      outside,
      [{ shape: [1, 2, 1, 1], dtype: "int32" }],
    );
    expect(grid(z!)).toEqual([[-(2 ** 31)], [-3]]);
  });

  it("compares uint32 without sign", () => {
    const x = image(
      [
        [1, 2 ** 31 + 1],
        [5, 2 ** 31],
      ],
      "uint32",
    );
    const [y] = poolingKernels.maxPool([x], attributes, [{ shape: [1, 1, 1, 1], dtype: "uint32" }]);
    expect(grid(y!)).toEqual([[2 ** 31 + 1]]);
  });

  it("sends the gradient to the first largest element, adding up where windows overlap", () => {
    const overlapping: PoolAttributes = {
      window: [2, 2],
      strides: [1, 1],
      padding: [
        [0, 0],
        [0, 0],
      ],
    };
    const x = image([
      [1, 7, 7],
      [7, 2, 3],
      [0, 0, 0],
    ]);
    const g = image([
      [1, 10],
      [100, 1000],
    ]);
    const [dx] = poolingKernels.maxPoolGradient([x, g], overlapping, [x]);
    expect(grid(dx!)).toEqual([
      [0, 11, 0],
      [100, 0, 1000],
      [0, 0, 0],
    ]);
    const [picked] = poolingKernels.maxPoolSelect([x, x], overlapping, [{ shape: [1, 2, 2, 1], dtype: "float32" }]);
    expect(grid(picked!)).toEqual([
      [7, 7],
      [7, 3],
    ]);
  });

  it("sums windows, and spreads gradients as the transpose does", () => {
    const shape = [2, 5, 6, 3];
    const padded: PoolAttributes = {
      window: [3, 2],
      strides: [2, 1],
      padding: [
        [1, 1],
        [0, 1],
      ],
    };
    const x = NDArray.from(
      Array.from({ length: sizeOf(shape) }, (_, i) => ((i * 37) % 11) - 5),
      "float32",
    ).reshape(shape);
    const [spec] = maxPool.primitive.infer([x], padded);
    const [y] = poolingKernels.sumPool([x], padded, [spec!]);
    const expected = (n: number, i: number, j: number, c: number): number => {
      let sum = 0;
      for (let u = 2 * i - 1; u < 2 * i + 2; u++)
        for (let v = j; v < j + 2; v++) if (u >= 0 && u < 5 && v < 6) sum += Number(x.at(n, u, v, c));
      return sum;
    };
    for (const [n, i, j, c] of [
      [0, 0, 0, 0],
      [1, 2, 5, 2],
      [0, 1, 3, 1],
    ] as const)
      expect(y!.at(n, i, j, c)).toBe(expected(n, i, j, c));
    const g = NDArray.from(
      Array.from({ length: y!.size }, (_, i) => ((i * 29) % 7) - 3),
      "float32",
    ).reshape(y!.shape);
    const [dx] = poolingKernels.sumPoolGradient([g], { ...padded, spatial: [5, 6] }, [x]);
    const inner = (a: NDArray, b: NDArray): number => a.numbers().reduce((sum, v, i) => sum + v * b.numbers()[i]!, 0);
    expect(inner(x, dx!)).toBe(inner(y!, g));
  });

  it("is the same by the compiled kernels as by definition", () => {
    const shape = [2, 12, 13, 6];
    const padded: PoolAttributes = {
      window: [3, 2],
      strides: [2, 1],
      padding: [
        [1, 1],
        [0, 1],
      ],
    };
    const x = NDArray.from(
      Array.from({ length: sizeOf(shape) }, (_, i) => ((i * 37) % 101) - 50),
      "float32",
    ).reshape(shape);
    const [spec] = maxPool.primitive.infer([x], padded);
    const g = NDArray.from(
      Array.from({ length: sizeOf(spec!.shape) }, (_, i) => ((i * 29) % 7) - 3),
      "float32",
    ).reshape(spec!.shape);
    // float64 never goes to the compiled kernels.
    const wide = (a: NDArray): NDArray => a.astype("float64");
    const [pooled, image] = [spec!, { shape, dtype: "float32" as const }];
    const runs: ((a: (x: NDArray) => NDArray) => NDArray[])[] = [
      (a) => poolingKernels.maxPool([a(x)], padded, [pooled]),
      (a) => poolingKernels.sumPool([a(x)], padded, [pooled]),
      (a) => poolingKernels.maxPoolGradient([a(x), a(g)], padded, [image]),
      (a) => poolingKernels.sumPoolGradient([a(g)], { ...padded, spatial: [12, 13] }, [image]),
    ];
    for (const run of runs)
      expect(Array.from(run((a) => a)[0]!.numbers(), (v) => v + 0)).toEqual(
        Array.from(run(wide)[0]!.numbers(), (v) => v + 0),
      );
  });
});
