import { describe, expect } from "vitest";
import { NDArray } from "../../src/core/ndarray.js";
import { primitives } from "../../src/primitives/index.js";
import { itRequires } from "../support/require.js";
import { tensor, torchAddon, valuesOf } from "../support/torch-addon.js";
import { type Compare, compares, dice, some, times } from "./torch-compare.js";

const pick = <T>(values: readonly T[]): T => values[dice.below(values.length)]!;
const close = { within: 1e-4, signOfZero: false };

interface Case {
  readonly x: NDArray;
  readonly kernel: NDArray;
  readonly strides: readonly number[];
  readonly padding: readonly (readonly [number, number])[];
}
/** Values of about 1 in sums of any length. */
const image = (shape: readonly number[]): NDArray => {
  const x = some("float32", shape);
  return NDArray.from({ data: x.numbers().map((v) => v / 8), shape }, "float32");
};

function check(same: Compare, { x, kernel, strides, padding }: Case): void {
  const attributes = { strides, padding, dilation: [1, 1], groups: 1 };
  const g = image(primitives.convolution.infer([x, kernel], attributes)[0]!.shape);
  same("convolution", [x, kernel], attributes, close);
  same("convolutionInputGradient", [g, kernel], { ...attributes, spatial: x.shape.slice(1, 3) }, close);
  same("convolutionKernelGradient", [x, g], { ...attributes, window: kernel.shape.slice(0, 2) }, close);
}
describe("convolutions of two axes", () => {
  compares("give what the built-in engine gives, for windows of 3x3 with stride 1", (same) => {
    times(40, () => {
      const [channels, filters] = [pick([3, 8, 16, 24]), pick([8, 10, 16, 40])];
      const padding = [0, 1].map(() => [dice.below(3), dice.below(3)] as const);
      const [h, w] = padding.map(([low, high]) => Math.max(1, 3 - low - high) + dice.below(9));
      const kernel = image([3, 3, channels, filters]);
      check(same, { x: image([pick([1, 2, 5]), h!, w!, channels]), kernel, strides: [1, 1], padding });
    });
  });
  compares("give what the built-in engine gives, for all windows, strides and padding", (same) => {
    times(60, () => {
      const window = [1 + dice.below(5), 1 + dice.below(5)];
      // Some images are smaller than the window, some windows in the padding alone.
      const padding = window.map(() => [dice.below(6), dice.below(6)] as const);
      const [h, w] = window.map((n, i) => Math.max(1, n - padding[i]![0] - padding[i]![1]) + dice.below(8));
      const [channels, filters] = [pick([1, 2, 3, 8, 17]), pick([1, 3, 8, 10, 16, 20, 33])];
      const kernel = image([...window, channels, filters]);
      const strides = [1 + dice.below(4), 1 + dice.below(4)];
      check(same, { x: image([pick([1, 3]), h!, w!, channels]), kernel, strides, padding });
    });
  });
  compares("give what the built-in engine gives, for images of several bands", (same) => {
    const padding = [0, 1].map(() => [1, 2] as const);
    for (const strides of [
      [1, 1],
      [2, 1],
    ])
      check(same, { x: image([1, 90, 130, 8]), kernel: image([3, 3, 8, 8]), strides, padding });
    check(same, { x: image([1, 70, 300, 4]), kernel: image([4, 2, 4, 3]), strides: [3, 2], padding });
  });
  compares("keep infinities and NaN where they belong", (same) => {
    for (const value of [Infinity, -Infinity, NaN, 3e38]) {
      const x = image([2, 7, 9, 8]);
      const kernel = image([3, 3, 8, 16]);
      for (const place of [0, 200, 517, 1007]) x.data[place] = value;
      const attributes = { strides: [1, 1], padding: [0, 1].map(() => [1, 1] as const), dilation: [1, 1], groups: 1 };
      same("convolution", [x, kernel], attributes, close);
      same("convolutionKernelGradient", [x, image([2, 7, 9, 16])], { ...attributes, window: [3, 3] }, close);
      const turned = { ...attributes, spatial: [7, 9] };
      same("convolutionInputGradient", [x, image([3, 3, 16, 8])], turned, close);
    }
  });
});

/** This package's own ops are missing where libtorch's are faster. */
const own = ["", "_input", "_kernel"].map((name) => `keras::convolution2d${name}`);
const isOwn = (): boolean => torchAddon().hasOp(own[0]!, "");

describe("this package's convolutions", () => {
  itRequires("libtorch", "give the same bits on any number of threads", () => {
    if (!isOwn()) return;
    const addon = torchAddon();
    const [forward, input, kernelGradient] = own.map((name) => addon.opId(name, ""));
    const slot = ({ data, shape }: NDArray): number => tensor([...(data as Float32Array)], shape);
    for (const [window, stride, channels] of [
      [3, 1, 16],
      [3, 2, 16],
      [5, 1, 3],
    ] as const) {
      const x = slot(image([6, 31, 30, channels]));
      const kernel = slot(image([window, window, channels, 24]));
      const around = [
        [stride, stride],
        [1, 2, 0, 1],
      ] as const;
      const run = (threads: number): number[][] => {
        addon.setThreads(threads);
        const y = addon.call(forward!, x, kernel, ...around) as number;
        const dx = addon.call(input!, y, kernel, ...around, [31, 30]) as number;
        return [y, dx, addon.call(kernelGradient!, x, y, ...around, [window, window]) as number].map(valuesOf);
      };
      const [one, three] = [run(1), run(3)];
      addon.setThreads(2);
      expect(three).toEqual(one);
    }
  });
  itRequires("libtorch", "take images of nothing and refuse what does not fit", () => {
    if (!isOwn()) return;
    const addon = torchAddon();
    const [forward, input, kernelGradient] = own.map((name) => addon.opId(name, ""));
    const [strides, padding] = [
      [1, 1],
      [0, 0, 0, 0],
    ];
    const zeros = (...shape: number[]): number =>
      tensor(new Array<number>(shape.reduce((a, b) => a * b, 1)).fill(0), shape);
    const [x, kernel, g] = [zeros(1, 4, 4, 2), zeros(3, 3, 2, 5), zeros(1, 2, 2, 5)];
    const shapeOf = (slot: unknown): readonly number[] => addon.shapeOf(slot as number);
    expect(shapeOf(addon.call(forward!, zeros(0, 4, 4, 2), kernel, strides, padding))).toEqual([0, 2, 2, 5]);
    expect(shapeOf(addon.call(forward!, zeros(1, 2, 2, 2), kernel, strides, padding))).toEqual([1, 0, 0, 5]);
    const nothing = addon.call(kernelGradient!, zeros(0, 4, 4, 2), zeros(0, 2, 2, 5), strides, padding, [3, 3]);
    expect(valuesOf(nothing as number)).toEqual(new Array(90).fill(0));
    const wrong: readonly (readonly [number, ...unknown[]])[] = [
      [forward!, x, x, strides, padding],
      [forward!, x, tensor([1, 2]), strides, padding],
      [forward!, x, kernel, [0, 1], padding],
      [forward!, x, kernel, [1], padding],
      [forward!, x, kernel, strides, [0, 0, 0, -1]],
      [forward!, x, kernel, strides, [0, 0, 0, 2 ** 40]],
      [forward!, x, kernel, strides, [0, 0]],
      [input!, g, kernel, strides, padding, [5, 4]],
      [input!, g, kernel, strides, padding, [-1, 4]],
      [input!, x, kernel, strides, padding, [4, 4]],
      [kernelGradient!, x, g, strides, padding, [2, 3]],
      [kernelGradient!, x, g, strides, padding, [0, 3]],
      [kernelGradient!, x, x, strides, padding, [3, 3]],
    ];
    for (const [id, ...args] of wrong)
      expect(() => addon.call(id, ...(args as number[]))).toThrow("keras::convolution2d");
  });
});
