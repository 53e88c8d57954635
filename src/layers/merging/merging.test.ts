import "../../backend/index.js";
import { describe, expect, it } from "vitest";
import { type Tensor, tensor } from "../../core/tensor.js";
import { Add, Average, Concatenate, Dot, Input, Masking, Maximum, Multiply, Subtract } from "../index.js";

const f = (value: never[] | unknown[]): Tensor => tensor(value as number[], "float32");
const masked = (value: unknown[], mask: boolean[][]): Tensor => {
  const x = f(value);
  x.kerasMask = tensor(mask);
  return x;
};

it("merges inputs of different rank after the batch axis", async () => {
  const y = new Add()([
    f([[1, 2]]),
    f([
      [
        [10, 20],
        [30, 40],
      ],
    ]),
  ]);
  expect(await y.array()).toEqual([
    [
      [11, 22],
      [31, 42],
    ],
  ]);
});
it("subtracts and averages", async () => {
  expect(await new Subtract()([f([[5, 7]]), f([[1, 2]])]).array()).toEqual([[4, 5]]);
  expect(await new Average()([f([[1]]), f([[2]]), f([[6]])]).array()).toEqual([[3]]);
  expect(() => new Subtract()([f([[5]]), f([[1]]), f([[1]])])).toThrow("exactly two inputs");
});
describe("masks", () => {
  const [a, b] = [
    masked([[[2], [3], [4]]], [[true, false, false]]),
    masked([[[10], [20], [30]]], [[true, true, false]]),
  ];
  it("are joined by or", async () => {
    for (const layer of [new Add(), new Multiply(), new Maximum()])
      expect(await layer([a, b]).kerasMask!.array()).toEqual([[true, true, false]]);
  });
  it("decide what a product takes", async () => {
    expect(await new Multiply()([a, b]).array()).toEqual([[[20], [20], [0]]]);
  });
  it("decide what a maximum takes", async () => {
    const low = masked([[[99], [3]]], [[false, true]]);
    expect(await new Maximum()([low, masked([[[1], [5]]], [[true, true]])]).array()).toEqual([[[1], [5]]]);
  });
  it("go missing when one input has none, except in Concatenate", async () => {
    const plain = f([[[1], [1], [1]]]);
    expect(new Add()([a, plain]).kerasMask).toBe(null);
    const joined = new Concatenate({ axis: 1 })([a, plain]);
    expect(await joined.kerasMask!.array()).toEqual([[true, false, false, true, true, true]]);
  });
  it("are found in graphs too", () => {
    const x = new Masking()(Input([3, 2]));
    expect(new Add()([x, x]).kerasMask?.shape).toEqual([null, 3]);
  });
});
it("multiplies along given axes", async () => {
  const x = f([
    [
      [1, 2],
      [3, 4],
    ],
  ]);
  expect(await new Dot([1, 2])([x, x]).array()).toEqual([
    [
      [7, 15],
      [10, 22],
    ],
  ]);
  expect(await new Dot(1, { normalize: true })([f([[3, 4]]), f([[6, 8]])]).array()).toEqual([[expect.closeTo(1, 6)]]);
});
it("says which inputs do not fit", () => {
  expect(() => new Add()([f([[1, 2]]), f([[1, 2, 3]])])).toThrow("cannot merge inputs of shapes [1, 2], [1, 3]");
  expect(() => new Concatenate()([f([[[1]]]), f([[[1], [2]]])])).toThrow("all other axes must be equal");
  expect(() => new Add()(f([[1, 2]]))).toThrow("array of at least 1 tensors");
});
