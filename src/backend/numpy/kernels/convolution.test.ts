import { describe, expect, it } from "vitest";
import type { DType } from "../../../core/dtype.js";
import { NDArray, rowMajorStrides, sizeOf } from "../../../core/ndarray.js";
import { convolution, type ConvolutionAttributes } from "../../../primitives/index.js";
import { convolutionKernels } from "./convolution.js";

const counting = (shape: readonly number[], factor: number, dtype: DType = "float32"): NDArray =>
  NDArray.from(
    Array.from({ length: sizeOf(shape) }, (_, i) => ((i * factor) % 11) - 5),
    dtype,
  ).reshape(shape);
const unravel = (n: number, dims: readonly number[]): number[] =>
  rowMajorStrides(dims).map((s, i) => Math.floor(n / s) % dims[i]!);

/** The definition, one output at a time. */
function naive(x: NDArray, kernel: NDArray, shape: readonly number[], a: ConvolutionAttributes): number[] {
  const rank = a.strides.length;
  const window = kernel.shape.slice(0, rank);
  const channels = kernel.shape[rank]!;
  const perGroup = kernel.shape[rank + 1]! / a.groups;
  return Array.from({ length: sizeOf(shape) }, (_, n) => {
    const at = unravel(n, shape);
    const filter = at.at(-1)!;
    const group = Math.floor(filter / perGroup);
    let sum = 0;
    for (let t = 0; t < sizeOf(window); t++) {
      const tap = unravel(t, window);
      const pixel = tap.map((w, i) => at[i + 1]! * a.strides[i]! + w * a.dilation[i]! - a.padding[i]![0]);
      if (pixel.some((p, i) => p < 0 || p >= x.shape[i + 1]!)) continue;
      for (let c = 0; c < channels; c++)
        sum += Number(x.at(at[0]!, ...pixel, group * channels + c)) * Number(kernel.at(...tap, c, filter));
    }
    return sum;
  });
}
const inner = (x: NDArray, y: NDArray): number => {
  const b = y.numbers();
  return x.numbers().reduce((sum, v, i) => sum + v * b[i]!, 0);
};
const plain = {
  strides: [1, 1],
  dilation: [1, 1],
  groups: 1,
  padding: [
    [0, 0],
    [0, 0],
  ],
} as const;

describe("convolution", () => {
  const cases: [string, number[], number[], ConvolutionAttributes][] = [
    ["two axes", [2, 5, 6, 3], [3, 3, 3, 4], plain],
    [
      "strides and padding",
      [2, 7, 6, 2],
      [3, 2, 2, 5],
      {
        ...plain,
        strides: [2, 3],
        padding: [
          [1, 2],
          [0, 1],
        ],
      },
    ],
    ["dilation", [1, 9, 8, 2], [3, 2, 2, 3], { ...plain, dilation: [2, 3] }],
    [
      "negative padding",
      [1, 7, 7, 2],
      [2, 2, 2, 3],
      {
        ...plain,
        padding: [
          [-1, 1],
          [2, -2],
        ],
      },
    ],
    ["groups", [2, 5, 5, 6], [3, 3, 2, 9], { ...plain, groups: 3 }],
    [
      "depthwise",
      [1, 6, 6, 4],
      [3, 3, 1, 8],
      {
        ...plain,
        groups: 4,
        padding: [
          [1, 1],
          [1, 1],
        ],
      },
    ],
    ["pointwise", [2, 4, 4, 8], [1, 1, 8, 16], plain],
    ["one axis", [2, 9, 3], [4, 3, 5], { strides: [2], dilation: [1], groups: 1, padding: [[3, 0]] }],
    ["no axis", [3, 4], [4, 5], { strides: [], dilation: [], groups: 1, padding: [] }],
    [
      "three axes",
      [1, 4, 5, 4, 2],
      [2, 3, 2, 2, 3],
      {
        strides: [1, 2, 1],
        dilation: [1, 1, 2],
        groups: 1,
        padding: [
          [0, 1],
          [1, 0],
          [0, 0],
        ],
      },
    ],
    [
      "a wide image",
      [1, 20, 20, 8],
      [3, 3, 8, 16],
      {
        ...plain,
        padding: [
          [1, 1],
          [1, 1],
        ],
      },
    ],
  ];
  it.each(cases)("follows its definition and is adjoint to its gradients: %s", (_, xShape, kShape, attributes) => {
    for (const dtype of ["float32", "int32", "float16"] as const) {
      const [x, kernel] = [counting(xShape, 37, dtype), counting(kShape, 53, dtype)];
      const [spec] = convolution.primitive.infer([x, kernel], attributes);
      const [y] = convolutionKernels.convolution([x, kernel], attributes, [spec!]);
      expect(
        [...y!.numbers()].map((v) => v + 0),
        dtype,
      ).toEqual(naive(x, kernel, spec!.shape, attributes).map((v) => v + 0));
      if (dtype === "float16") continue;
      const g = counting(spec!.shape, 29, dtype);
      const spatial = xShape.slice(1, -1);
      const [dx] = convolutionKernels.convolutionInputGradient([g, kernel], { ...attributes, spatial }, [x]);
      const window = kShape.slice(0, -2);
      const [dk] = convolutionKernels.convolutionKernelGradient([x, g], { ...attributes, window }, [kernel]);
      expect(dx!.shape).toEqual(xShape);
      expect(dk!.shape).toEqual(kShape);
      expect(inner(x, dx!), dtype).toBe(inner(y!, g));
      expect(inner(kernel, dk!), dtype).toBe(inner(y!, g));
    }
  });

  it("reads strided images", () => {
    const x = counting([1, 5, 6, 2], 37);
    const turned = new NDArray(x.data, [1, 6, 5, 2], "float32", [60, 2, 12, 1]);
    const kernel = counting([2, 2, 2, 3], 53);
    const [spec] = convolution.primitive.infer([turned, kernel], plain);
    const run = (image: NDArray): number[] => [
      ...convolutionKernels.convolution([image, kernel], plain, [spec!])[0]!.numbers(),
    ];
    expect(run(turned)).toEqual(run(turned.copy()));
  });
});
