import { expect, it } from "vitest";
import type { DType } from "../../core/dtype.js";
import { NDArray } from "../../core/ndarray.js";
import { copyInto, loadRange, materialize } from "./strided-copy.js";
import { bitsOf, coalesce } from "./strided.js";
import { anyLayout, Dice, indices } from "./testing.js";

const elements = (x: NDArray): number[] => [...indices(x.shape)].map((index) => Number(x.at(...index)));

it("copies arrays of any layout and width in order", () => {
  const dice = new Dice(3);
  for (const dtype of ["float32", "int8", "uint16"] as readonly DType[]) {
    for (let round = 0; round < 150; round++) {
      const x = anyLayout(dice, dice.shape(dice.below(5), 6), dtype);
      const y = materialize(x);
      expect(y.isContiguous).toBe(true);
      expect(elements(y)).toEqual(elements(x));
    }
  }
});

it("copies long rows, fills and large transposes", () => {
  const data = Float32Array.from({ length: 300 * 70 }, (_, i) => i);
  const views = [
    new NDArray(data, [300, 70], "float32"),
    new NDArray(data, [70, 300], "float32", [1, 70]),
    new NDArray(data, [5, 70, 60], "float32", [4200, 1, 70]),
    new NDArray(data, [100, 60], "float32", [70, 1], 5),
    new NDArray(data, [90, 80], "float32", [1, 0]),
    new NDArray(data, [90, 80], "float32", [0, 1]),
    new NDArray(data, [3, 70], "float32", [0, -1], 69),
  ];
  for (const x of views) expect(elements(materialize(x))).toEqual(elements(x));
});

it("moves whole complex elements", () => {
  const x = new NDArray(
    Float32Array.from({ length: 12 }, (_, i) => i),
    [3, 2],
    "complex64",
    [1, 3],
  );
  expect([...(materialize(x).data as Float32Array)]).toEqual([0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]);
});

it("writes into a window and leaves the rest alone", () => {
  const out = NDArray.zeros([4, 5], "int32");
  copyInto(
    NDArray.from(
      [
        [1, 2],
        [3, 4],
      ],
      "int32",
    ),
    new NDArray(out.data, [2, 2], "int32", [10, 2], 6),
  );
  expect(out.toArray()).toEqual([
    [0, 0, 0, 0, 0],
    [0, 1, 0, 2, 0],
    [0, 0, 0, 0, 0],
    [0, 3, 0, 4, 0],
  ]);
});

it("loads any range of a nest", () => {
  const dice = new Dice(11);
  for (let round = 0; round < 100; round++) {
    const x = anyLayout(dice, dice.shape(1 + dice.below(4)), "int32");
    const nest = coalesce(x.shape, [x.strides]);
    if (nest.shape.length === 0) continue;
    const start = dice.below(x.size);
    const count = dice.below(x.size - start + 1);
    const to = new Int32Array(count);
    loadRange(nest.shape, nest.strides[0]!, bitsOf(x.data), x.offset, start, count, to);
    expect([...to]).toEqual(elements(x).slice(start, start + count));
  }
});
