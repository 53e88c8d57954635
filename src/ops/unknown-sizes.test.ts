import "../backend/index.js";
import { expect, it } from "vitest";
import { KerasTensor } from "../core/keras-tensor.js";
import { type Tensor, tensor } from "../core/tensor.js";
import { sparseCategoricalCrossentropy } from "./crossentropy.js";
import { ctcLoss } from "./ctc-loss.js";
import { cumsum, nancumsum } from "./cumulative.js";
import { cropImages } from "./image/index.js";
import { append, repeat } from "./joining.js";
import { psnr } from "./psnr.js";
import { concatenate, reshape } from "./shape.js";

const symbolic = (...shape: (number | null)[]): KerasTensor => new KerasTensor(shape);
const shapeOf = (y: Tensor): unknown => (y as unknown as KerasTensor).shape;

it("reshape takes its sizes from a tensor, which tells their number while shapes are inferred", async () => {
  const sizes = tensor([2, -1], "int32");
  expect(await reshape(tensor([1, 2, 3, 4, 5, 6]), sizes).array()).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  expect(shapeOf(reshape(symbolic(null, 20), new KerasTensor([2], "int32") as unknown as Tensor))).toEqual([
    null,
    null,
  ]);
});
it("what repeats slices of an unknown number gives an unknown number", () => {
  expect(shapeOf(repeat(symbolic(null, 3), [1, 2], { axis: 0 }))).toEqual([null, 3]);
  expect(shapeOf(repeat(symbolic(2, 3), [1, 2], { axis: 0 }))).toEqual([3, 3]);
});
it("symbolic images of unknown size are cropped toward a size only", () => {
  const images = symbolic(null, 10, 3);
  expect(() => cropImages(images, { topCropping: 2, leftCropping: 3, bottomCropping: 4, rightCropping: 5 })).toThrow(
    "give targetHeight",
  );
  const options = { topCropping: 2, leftCropping: 3, targetHeight: 4, rightCropping: 5 };
  expect(shapeOf(cropImages(images, options))).toEqual([4, 2, 3]);
});
it("symbolic tensors are not flattened to be concatenated, but to be appended", () => {
  expect(() => concatenate([symbolic(null, 3), symbolic(2, 3)], { axis: null })).toThrow("need an axis");
  expect(shapeOf(append(symbolic(2, 3), symbolic(4)))).toEqual([10]);
});
it("running sums go along several axes, or none", async () => {
  const x = tensor([
    [1, NaN],
    [3, 4],
  ]);
  expect(await nancumsum(x, { axis: [0, 1] }).array()).toEqual([
    [1, 1],
    [4, 8],
  ]);
  expect(await nancumsum(x, { axis: [] }).array()).toEqual([
    [1, 0],
    [3, 4],
  ]);
  await expect(async () => cumsum(x, { axis: [2] }).array()).rejects.toThrow("out of bounds");
});
it("ranks and batches are compared while shapes are inferred, sizes with the values", () => {
  expect(shapeOf(psnr(symbolic(null, 2, 3), symbolic(null, 5, 6), 255))).toEqual([]);
  expect(() => psnr(symbolic(2, 3), symbolic(3), 255)).toThrow("one shape");
  expect(() => psnr(tensor([1, 2]), tensor([1, 2, 3]), 255)).toThrow("one shape");
  expect(shapeOf(ctcLoss(symbolic(10, 3, 4), symbolic(10, 3), symbolic(10), symbolic(10)))).toEqual([10]);
  expect(() => ctcLoss(symbolic(10, 3), symbolic(10, 5, 4), symbolic(9), symbolic(10))).toThrow("batch of 10");
});
it("class indices fit all axes but the last, as Keras has it on JAX", () => {
  const output = symbolic(2, 4, 5);
  expect(shapeOf(sparseCategoricalCrossentropy(symbolic(4, 5), output, { axis: 0 }))).toEqual([4, 5]);
  const values = tensor([[[1, 2]], [[3, 4]]]);
  expect(() => sparseCategoricalCrossentropy(tensor([[0, 1]], "int32"), values, { axis: 0 })).toThrow("do not fit");
});
