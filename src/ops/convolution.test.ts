import "../backend/index.js";
import { describe, expect, it } from "vitest";
import type { Tensor } from "../core/tensor.js";
import { tensor } from "../core/tensor.js";
import {
  conv,
  type ConvOptions,
  convTranspose,
  type ConvTransposeOptions,
  depthwiseConv,
  separableConv,
} from "./convolution.js";
import { expectGradients, wave } from "./difference-quotient.testing.js";
import { transpose } from "./shape.js";

describe("gradients of convolutions", () => {
  const cases: [string, number[], number[], ConvOptions][] = [
    ["1-D", [2, 7, 3], [3, 3, 4], {}],
    ["strides", [2, 7, 6, 2], [3, 2, 2, 3], { strides: [2, 3] }],
    ["same padding with strides", [1, 8, 7, 2], [3, 4, 2, 3], { strides: 2, padding: "same" }],
    ["dilation", [1, 9, 8, 2], [3, 2, 2, 2], { dilationRate: [2, 3], padding: "same" }],
    ["groups", [2, 5, 5, 6], [3, 3, 2, 9], { padding: "same" }],
    ["3-D", [1, 4, 5, 4, 2], [2, 3, 2, 2, 3], { strides: [1, 2, 1] }],
    ["channels first", [2, 3, 6, 5], [3, 3, 3, 2], { dataFormat: "channels_first", padding: "same" }],
  ];
  it.each(cases)("%s", async (_, x, kernel, options) => {
    await expectGradients((a, w) => conv(a, w, options), [wave(x), wave(kernel, 1)]);
  });
  it("depthwise and separable", async () => {
    const [x, depthwise, pointwise] = [wave([2, 6, 5, 3]), wave([3, 2, 3, 2], 1), wave([1, 1, 6, 4], 2)];
    const options = { strides: 2, padding: "same" };
    await expectGradients((a, w) => depthwiseConv(a, w, options), [x, depthwise]);
    await expectGradients((a, w, m) => separableConv(a, w, m, options), [x, depthwise, pointwise]);
  });
  const transposed: [string, ConvTransposeOptions][] = [
    ["valid", { strides: [2, 3] }],
    ["same", { strides: 2, padding: "same" }],
    ["output padding", { strides: 3, outputPadding: [1, 2] }],
    ["dilation", { dilationRate: 2 }],
  ];
  it.each(transposed)("transposed, %s", async (_, options) => {
    await expectGradients((a, w) => convTranspose(a, w, options), [wave([2, 4, 3, 2]), wave([2, 3, 5, 2], 1)]);
  });
});

describe("convTranspose", () => {
  // <conv(x), y> = <x, convTranspose(y)> for the padding of "valid".
  it("is the adjoint of conv", async () => {
    const [x, kernel, y] = [wave([1, 9, 7, 2]), wave([3, 3, 2, 4], 1), wave([1, 4, 3, 4], 2)];
    const inner = async (a: Tensor, b: Tensor): Promise<number> => {
      const [p, q] = [(await a.data()).numbers(), (await b.data()).numbers()];
      return p.reduce((sum, v, i) => sum + v * q[i]!, 0);
    };
    const forward = conv(x, kernel, { strides: 2 });
    const back = convTranspose(y, kernel, { strides: 2 });
    expect(back.shape).toEqual(x.shape);
    expect(await inner(forward, y)).toBeCloseTo(await inner(x, back), 4);
  });
  it("fills what the kernel does not reach with zeros", async () => {
    const y = convTranspose(tensor([[[1], [2]]], "float32"), tensor([[[3]]], "float32"), { strides: 3 });
    expect(await y.array()).toEqual([[[3], [0], [0], [6], [0], [0]]]);
  });
});

describe("conv", () => {
  it("gives the same in both data formats", async () => {
    const [x, kernel] = [wave([2, 5, 4, 3]), wave([2, 3, 3, 4], 1)];
    const last = conv(x, kernel, { strides: 2, padding: "same" });
    const first = conv(transpose(x, { axes: [0, 3, 1, 2] }), kernel, {
      strides: 2,
      padding: "same",
      dataFormat: "channels_first",
    });
    expect(await transpose(first, { axes: [0, 2, 3, 1] }).array()).toEqual(await last.array());
  });
  it("says what does not fit", () => {
    expect(() => conv(wave([1, 4, 4, 3]), wave([2, 2, 2, 5]))).toThrow("takes 2 input channels");
    expect(() => conv(wave([1, 4, 4, 3]), wave([5, 5, 3, 2]))).toThrow("nothing is left of inputs [1,4,4,3]");
    expect(() => conv(wave([1, 4, 4, 3]), wave([2, 2, 3, 2]), { padding: "full" })).toThrow('"valid" or "same"');
    expect(() => conv(wave([4, 3]), wave([2, 3, 2]))).toThrow("1 to 3 spatial axes");
  });
});
