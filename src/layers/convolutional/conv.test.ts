import "../../backend/index.js";
import { describe, expect, it } from "vitest";
import { tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { Conv1D, Conv2D, Conv2DTranspose, DepthwiseConv2D, Input, SeparableConv1D } from "../index.js";

it("computes a convolution by hand", async () => {
  const layer = new Conv1D(1, 2, { kernelInitializer: "ones", biasInitializer: "ones", activation: "relu" });
  expect(await layer(tensor([[[1], [2], [-9]]], "float32")).array()).toEqual([[[4], [0]]]);
});
it("causal padding never looks ahead", async () => {
  const layer = new Conv1D(1, 3, { padding: "causal", dilationRate: 2, kernelInitializer: "ones", useBias: false });
  const y = layer(tensor([[[1], [2], [4], [8], [16]]], "float32"));
  expect(await y.array()).toEqual([[[1], [2], [5], [10], [21]]]);
});
describe("shapes", () => {
  it("of outputs", () => {
    const x = Input([28, null, 3]);
    expect(new Conv2D(4, 3, { strides: 2, padding: "same" })(x).shape).toEqual([null, 14, null, 4]);
    expect(new Conv2DTranspose(4, 3, { strides: 2 })(x).shape).toEqual([null, 57, null, 4]);
    expect(new DepthwiseConv2D(3, { depthMultiplier: 2 })(x).shape).toEqual([null, 26, null, 6]);
  });
  it("of weights", () => {
    const conv = new Conv2D(6, [3, 2], { groups: 2, dataFormat: "channels_first" });
    conv.build([null, 4, 8, 8]);
    expect(conv.weights.map(({ shape }) => shape)).toEqual([[3, 2, 2, 6], [6]]);
    const separable = new SeparableConv1D(5, 3, { depthMultiplier: 2 });
    separable.build([null, 9, 4]);
    expect(separable.weights.map(({ name, shape }) => [name, shape])).toEqual([
      ["depthwise_kernel", [3, 4, 2]],
      ["pointwise_kernel", [1, 8, 5]],
      ["bias", [5]],
    ]);
  });
});
it("a bias follows channels wherever they are", async () => {
  const layer = new Conv2D(2, 1, { dataFormat: "channels_first", kernelInitializer: "zeros" });
  layer.build([null, 1, 1, 2]);
  layer.bias!.assign([3, 4]);
  expect(await layer(P.full([1, 1, 1, 2], 1, "float32")).array()).toEqual([[[[3, 3]], [[4, 4]]]]);
});
it("refuses what makes no sense", () => {
  expect(() => new Conv2D(0, 3)).toThrow("`Conv2D.filters` must be a positive integer. Received: 0.");
  expect(() => new Conv2D(5, 3, { groups: 2 })).toThrow("groups must divide filters");
  expect(() => new Conv2D(4, 3, { strides: 2, dilationRate: 2 })).toThrow("cannot go with a dilation rate above 1");
  expect(() => new Conv2D(4, 3, { padding: "causal" })).toThrow('one of "valid", "same"');
  expect(() => new Conv2DTranspose(4, 3, { outputPadding: 1 })).toThrow("outputPadding must be below strides");
  expect(() => new Conv2D(4, 3)(Input([2, 2, 3]))).toThrow("nothing is left of inputs");
});
it("is rebuilt from its config", () => {
  const layer = new Conv2D(4, 3, { strides: 2, activation: "gelu", kernelRegularizer: "l2", name: "c" });
  expect(Conv2D.fromConfig(layer.getConfig()).getConfig()).toEqual(layer.getConfig());
});
