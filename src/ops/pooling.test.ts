import "../backend/index.js";
import { describe, expect, it } from "vitest";
import { tensor } from "../core/tensor.js";
import { expectGradients, steps, wave } from "./difference-quotient.testing.js";
import { adaptiveAveragePool, adaptiveMaxPool, averagePool, maxPool, type PoolOptions } from "./pooling.js";

const cases: [string, number[], number | number[], PoolOptions][] = [
  ["windows side by side", [2, 6, 4, 2], 2, {}],
  ["overlapping windows", [1, 7, 6, 2], [3, 2], { strides: [2, 1] }],
  ["same padding", [1, 7, 5, 2], 3, { strides: 2, padding: "same" }],
  ["1-D, channels first", [2, 3, 8], 3, { strides: 2, padding: "same", dataFormat: "channels_first" }],
  ["3-D", [1, 4, 4, 5, 2], 2, { padding: "same" }],
];
describe("gradients of pooling", () => {
  it.each(cases)("%s", async (_, shape, size, options) => {
    await expectGradients((x) => averagePool(x, size, options), [wave(shape)]);
    await expectGradients((x) => maxPool(x, size, options), [steps(shape)]);
  });
  it("adaptive", async () => {
    await expectGradients((x) => adaptiveAveragePool(x, [3, 2]), [wave([2, 7, 5, 2])]);
    await expectGradients((x) => adaptiveMaxPool(x, [3, 2]), [steps([2, 7, 5, 2])]);
  });
});

it("padding does not count in means", async () => {
  const x = tensor([[[1], [2], [3]]], "float32");
  expect(await averagePool(x, 2, { padding: "same" }).array()).toEqual([[[1.5], [3]]]);
  expect(await maxPool(tensor([[[-1], [-2], [-3]]], "float32"), 2, { padding: "same" }).array()).toEqual([
    [[-1], [-3]],
  ]);
});
it("adaptive windows cover the axis as PyTorch's do", async () => {
  const x = tensor([[[1], [2], [3], [4], [5]]], "float32");
  expect(await adaptiveMaxPool(x, 3).array()).toEqual([[[2], [4], [5]]]);
  expect(await adaptiveAveragePool(x, 3).array()).toEqual([[[1.5], [3], [4.5]]]);
});
