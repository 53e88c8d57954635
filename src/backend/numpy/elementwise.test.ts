import { expect, it } from "vitest";
import type { DType } from "../../core/dtype.js";
import { NDArray } from "../../core/ndarray.js";
import { broadcastShapes } from "../../primitives/define.js";
import backend from "./index.js";
import { anyLayout, broadcastAt, Dice, indices } from "./testing.js";

const { kernels } = backend;
const run = (op: "subtract" | "less" | "maximum", x: NDArray, y: NDArray, shape: readonly number[]): NDArray =>
  kernels[op]([x, y], {}, [{ shape, dtype: op === "less" ? "bool" : x.dtype }])[0]!;

/** A shape that broadcasts together with `shape`. */
function partner(dice: Dice, shape: readonly number[]): number[] {
  return shape.slice(dice.below(shape.length + 1)).map((d) => (dice.below(3) === 0 ? 1 : d));
}

it("broadcasts operands of any layout", () => {
  const dice = new Dice(5);
  for (const dtype of ["float32", "int32", "bfloat16", "int8"] as readonly DType[]) {
    for (let round = 0; round < 120; round++) {
      const full = dice.shape(dice.below(5));
      const x = anyLayout(dice, dice.below(2) ? full : partner(dice, full), dtype);
      const y = anyLayout(dice, partner(dice, full), dtype);
      const shape = broadcastShapes(x.shape, y.shape);
      const [difference, smaller] = [run("subtract", x, y, shape), run("less", x, y, shape)];
      for (const index of indices(shape)) {
        const [a, b] = [broadcastAt(x, index), broadcastAt(y, index)];
        if (dtype !== "bfloat16") expect(difference.at(...index)).toBe(a - b);
        expect(smaller.at(...index)).toBe(a < b ? 1 : 0);
      }
    }
  }
});

it("broadcasts over many blocks", () => {
  const rows = 900;
  for (const [width, dtype] of [
    [7, "float32"],
    [700, "float32"],
    [1500, "float32"],
    [33, "float16"],
    [33, "complex64"],
  ] as const) {
    const values = Float32Array.from({ length: rows * width * (dtype === "complex64" ? 2 : 1) }, (_, i) => i % 61);
    const x =
      dtype === "complex64"
        ? new NDArray(values, [rows, width], dtype)
        : new NDArray(values, [rows, width], "float32").astype(dtype);
    const row = NDArray.from(
      [...Array(width).keys()].map((i) => i % 19),
      dtype,
    );
    const column = NDArray.from(
      [...Array(rows).keys()].map((i) => [i % 23]),
      dtype,
    );
    const byRow = run("subtract", x, row, [rows, width]);
    const byColumn = run("subtract", column, x, [rows, width]);
    for (let k = 0; k < 2000; k++) {
      const [i, j] = [(k * 7919) % rows, (k * 104729) % width];
      expect(byRow.at(i, j)).toBe(Number(x.at(i, j)) - (j % 19));
      expect(byColumn.at(i, j)).toBe((i % 23) - Number(x.at(i, j)));
    }
  }
});

it("keeps the memory order that operands share", () => {
  const x = new NDArray(Float32Array.of(1, 2, 3, 4, 5, 6), [3, 2], "float32", [1, 3]);
  const y = kernels.negative([x], {}, [{ shape: [3, 2], dtype: "float32" }])[0]!;
  expect(y.strides).toEqual([1, 3]);
  expect(y.toArray()).toEqual([
    [-1, -4],
    [-2, -5],
    [-3, -6],
  ]);
  const z = run("maximum", x, new NDArray(Float32Array.of(3), [1, 1], "float32"), [3, 2]);
  expect(z.toArray()).toEqual([
    [3, 4],
    [3, 5],
    [3, 6],
  ]);
});

it("handles empty, 0-d and one-element arrays", () => {
  const none = NDArray.zeros([0, 3]);
  expect(run("subtract", none, NDArray.zeros([3]), [0, 3]).shape).toEqual([0, 3]);
  expect(run("subtract", NDArray.from(5, "float32"), NDArray.from(3, "float32"), []).toArray()).toBe(2);
  expect(run("subtract", NDArray.from([[5]], "int8"), NDArray.from(6, "int8"), [1, 1]).toArray()).toEqual([[-1]]);
});

it("selects with operands of any layout", () => {
  const dice = new Dice(9);
  for (const dtype of ["float32", "uint8", "float16", "complex64"] as readonly DType[]) {
    for (let round = 0; round < 60; round++) {
      const full = dice.shape(dice.below(4));
      const condition = anyLayout(dice, partner(dice, full), "bool");
      const make = (shape: readonly number[]): NDArray => {
        const x = anyLayout(dice, shape, dtype === "complex64" ? "float32" : dtype);
        return dtype === "complex64" ? x.astype(dtype) : x;
      };
      const [x, y] = [make(full), make(partner(dice, full))];
      const shape = broadcastShapes(broadcastShapes(condition.shape, x.shape), y.shape);
      const out = kernels.select([condition, x, y], {}, [{ shape, dtype }])[0]!;
      for (const index of indices(shape)) {
        expect(out.at(...index)).toBe(broadcastAt(broadcastAt(condition, index) ? x : y, index));
      }
    }
  }
});

it("says which op does not take a dtype", () => {
  const x = NDArray.from([1], "int32");
  expect(() => kernels.exp([x], {}, [{ shape: [1], dtype: "int32" }])).toThrow(/exp is not defined for int32/);
  const wide = NDArray.from([1], "float64");
  expect(() => kernels.exp([wide], {}, [{ shape: [1], dtype: "float64" }])).toThrow(/at most 32 bits/);
});
