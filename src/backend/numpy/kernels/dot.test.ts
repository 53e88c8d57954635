import { describe, expect, it } from "vitest";
import type { DType } from "../../../core/dtype.js";
import { NDArray, rowMajorStrides, sizeOf } from "../../../core/ndarray.js";
import { dotKernels } from "./dot.js";

const counting = (shape: readonly number[], dtype: DType, factor = 37, modulus = 11, shift = 5): NDArray =>
  NDArray.from(
    Array.from({ length: sizeOf(shape) }, (_, i) => ((i * factor) % modulus) - shift),
    dtype,
  ).reshape(shape);

/** The definition, one element at a time. */
function naive(x: NDArray, y: NDArray, contract: readonly number[][], batch: readonly number[][]): number[] {
  const free = (shape: readonly number[], side: 0 | 1): number[] =>
    [...shape.keys()].filter((i) => !contract[side]!.includes(i) && !batch[side]!.includes(i));
  const [fx, fy] = [free(x.shape, 0), free(y.shape, 1)];
  const shape = [...batch[0]!.map((i) => x.shape[i]!), ...fx.map((i) => x.shape[i]!), ...fy.map((i) => y.shape[i]!)];
  const inner = contract[0]!.map((i) => x.shape[i]!);
  const unravel = (n: number, dims: readonly number[]): number[] =>
    rowMajorStrides(dims).map((s, i) => Math.floor(n / s) % dims[i]!);
  return Array.from({ length: sizeOf(shape) }, (_, n) => {
    const at = unravel(n, shape);
    const ix = x.shape.map(() => 0);
    const iy = y.shape.map(() => 0);
    batch[0]!.forEach((axis, i) => ((ix[axis] = at[i]!), (iy[batch[1]![i]!] = at[i]!)));
    fx.forEach((axis, i) => (ix[axis] = at[batch[0]!.length + i]!));
    fy.forEach((axis, i) => (iy[axis] = at[batch[0]!.length + fx.length + i]!));
    let sum = 0;
    for (let k = 0; k < sizeOf(inner); k++) {
      unravel(k, inner).forEach((p, i) => ((ix[contract[0]![i]!] = p), (iy[contract[1]![i]!] = p)));
      sum += Number(x.at(...ix)) * Number(y.at(...iy));
    }
    return sum;
  });
}

describe("dot", () => {
  const cases: [number[], number[], [number[], number[]], [number[], number[]]][] = [
    [
      [3, 4],
      [4, 5],
      [[1], [0]],
      [[], []],
    ],
    [
      [4, 3],
      [5, 4],
      [[0], [1]],
      [[], []],
    ],
    [
      [2, 3, 4],
      [2, 4, 5],
      [[2], [1]],
      [[0], [0]],
    ],
    [
      [3, 2, 4],
      [4, 5, 2],
      [[2], [0]],
      [[1], [2]],
    ],
    [
      [2, 3, 4],
      [4, 3, 6],
      [
        [1, 2],
        [1, 0],
      ],
      [[], []],
    ],
    [[5], [5], [[0], [0]], [[], []]],
    [[2], [3], [[], []], [[], []]],
    [
      [2, 0],
      [0, 3],
      [[1], [0]],
      [[], []],
    ],
    [
      [33, 40],
      [40, 37],
      [[1], [0]],
      [[], []],
    ],
  ];
  it.each(cases)("contracts %j with %j over %j, side by side over %j", (a, b, contract, batch) => {
    for (const dtype of ["float32", "int32", "float16", "uint8", "uint32"] as const) {
      const shift = dtype.startsWith("u") ? 0 : 5;
      const [x, y] = [counting(a, dtype, 37, 3, shift ? 1 : 0), counting(b, dtype, 53, 2, shift ? 1 : 0)];
      const expected = naive(x, y, contract, batch);
      const free = (shape: readonly number[], side: 0 | 1): number[] =>
        shape.filter((_, i) => !contract[side].includes(i) && !batch[side].includes(i));
      const shape = [...batch[0].map((i) => a[i]!), ...free(a, 0), ...free(b, 1)];
      const [out] = dotKernels.dot([x, y], { contract, batch }, [{ shape, dtype }]);
      expect(out!.shape).toEqual(shape);
      expect(
        Array.from(out!.numbers(), (v) => v + 0),
        dtype,
      ).toEqual(expected.map((v) => v + 0));
    }
  });

  it("wraps integers at their width", () => {
    const product = (dtype: DType, values: number[]): number[] => {
      const x = NDArray.from(values, dtype);
      const [out] = dotKernels.dot([x, x], { contract: [[0], [0]], batch: [[], []] }, [{ shape: [], dtype }]);
      return [...out!.numbers()];
    };
    expect(product("int32", [2 ** 30 + 3, 7])).toEqual([Number(BigInt.asIntN(32, BigInt(2 ** 30 + 3) ** 2n + 49n))]);
    expect(product("uint32", [2 ** 31 + 5, 1])).toEqual([Number(BigInt.asUintN(32, BigInt(2 ** 31 + 5) ** 2n + 1n))]);
    expect(product("int8", [100, 100])).toEqual([(20000 % 256) - 0 > 127 ? (20000 % 256) - 256 : 20000 % 256]);
    expect(product("uint8", [200, 3])).toEqual([40009 % 256]);
  });

  it("multiplies complex numbers", () => {
    const z = new NDArray(Float32Array.of(1, 2, 3, -1), [2], "complex64");
    const [out] = dotKernels.dot([z, z], { contract: [[0], [0]], batch: [[], []] }, [
      { shape: [], dtype: "complex64" },
    ]);
    // (1 + 2i)² + (3 - i)² = (-3 + 4i) + (8 - 6i)
    expect([...out!.data]).toEqual([5, -2]);
  });

  it("adds float16 products in float32", () => {
    const n = 4096;
    const x = NDArray.from(new Array<number>(n).fill(1), "float16");
    const [out] = dotKernels.dot([x, x], { contract: [[0], [0]], batch: [[], []] }, [{ shape: [], dtype: "float16" }]);
    expect(out!.numbers()[0]).toBe(n);
  });
});
