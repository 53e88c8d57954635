import type { Shape, TensorSpec } from "../../../core/dtype.js";
import type { ConvolutionAttributes } from "../../../primitives/index.js";
import {
  type A,
  add,
  concatenate,
  matmul,
  multiply,
  reshape,
  reverse,
  sizeOf,
  slice,
  rounded as copied,
  transpose,
} from "../ops.js";
import { dot } from "./dot.js";
import { type Lowering, type Lowerings } from "./lowering.js";
import { pad } from "./movement.js";
import { sumInSteps } from "./reduce.js";
import { MOST_TAPS, tapOf, tapsOf } from "./taps.js";

/** Up to this many input channels products are taken element by element: the rows are too short for matrix products. */
const FEW_CHANNELS = 4;

const padded = (x: A, { padding }: ConvolutionAttributes): A =>
  pad(x, {
    low: [0, ...padding.map(([low]) => low), 0],
    high: [0, ...padding.map(([, high]) => high), 0],
    interior: x.shape.map(() => 0),
    value: 0,
  });
// jax-js writes the operands of products to memory unless they are views, which are slow to read: `copied` makes them none.
/** The kernel's matrix [channels / groups, filters] at one tap. */
function matrixAt(kernel: A, tap: readonly number[]): A {
  const [channels, filters] = kernel.shape.slice(-2) as [number, number];
  return reshape(slice(kernel, [...tap, 0, 0], [...tap.map((t) => t + 1), channels, filters]), [channels, filters]);
}

/** Values of one tap [rows, channels] times its matrix [channels / groups, filters]. */
function tapProduct(values: A, matrix: A, groups: number): A {
  const [channels, filters] = matrix.shape as [number, number];
  const rows = values.shape[0]!;
  if (groups === 1 && channels > FEW_CHANNELS) return matmul(values, matrix);
  if (channels <= FEW_CHANNELS) {
    const perGroup = filters / groups;
    const terms = Array.from({ length: channels }, (_, c) => {
      const column = reshape(values, [rows, groups, channels]);
      const one = slice(column, [0, 0, c], [rows, groups, c + 1]);
      const weights = reshape(slice(matrix, [c, 0], [c + 1, filters]), [1, groups, perGroup]);
      return reshape(multiply(one, weights), [rows, filters]);
    });
    return terms.reduce(add);
  }
  const a = reshape(values, [rows, groups, channels]);
  const b = reshape(matrix, [channels, groups, filters / groups]);
  const grouped = dot(a, b, { contract: [[2], [0]], batch: [[1], [1]] });
  return reshape(transpose(grouped, [1, 0, 2]), [rows, filters]);
}

function convolution(x: A, kernel: A, attributes: ConvolutionAttributes, shape: Shape): A {
  const positions = shape.slice(1, -1);
  const image = padded(x, attributes);
  const rows = sizeOf(shape.slice(0, -1));
  const byMatrix = kernel.shape.at(-2)! > FEW_CHANNELS;
  const terms = tapsOf(kernel.shape.slice(0, -2)).map((tap) => {
    const values = reshape(tapOf(image, tap, positions, attributes), [rows, x.shape.at(-1)!]);
    return tapProduct(byMatrix ? copied(values) : values, matrixAt(kernel, tap), attributes.groups);
  });
  return reshape(terms.reduce(add), shape);
}

/** The transpose in x: a convolution of the spread gradient with the kernel turned around. */
function inputGradient(g: A, kernel: A, attributes: ConvolutionAttributes, shape: Shape): A {
  const { strides, padding, dilation, groups } = attributes;
  const window = kernel.shape.slice(0, -2);
  const [channels, filters] = kernel.shape.slice(-2) as [number, number];
  const spatial = window.map((_, i) => i);
  const low = window.map((size, i) => (size - 1) * dilation[i]! - padding[i]![0]);
  const high = window.map((_, i) => shape[i + 1]! - 1 + padding[i]![0] - (g.shape[i + 1]! - 1) * strides[i]!);
  const wide = pad(g, {
    low: [0, ...low, 0],
    high: [0, ...high, 0],
    interior: [0, ...strides.map((s) => s - 1), 0],
    value: 0,
  });
  const turned = reverse(kernel, spatial);
  const n = window.length;
  const split = reshape(turned, [...window, channels, groups, filters / groups]);
  const swapped = transpose(split, [...spatial, n + 2, n + 1, n]);
  const flipped = reshape(swapped, [...window, filters / groups, groups * channels]);
  const ones = strides.map(() => 1);
  const none = padding.map((): readonly [number, number] => [0, 0]);
  return convolution(wide, flipped, { strides: ones, padding: none, dilation, groups }, shape);
}

function kernelGradient(x: A, g: A, attributes: ConvolutionAttributes, shape: Shape): A {
  const { groups } = attributes;
  const window = shape.slice(0, -2);
  const [channels, filters] = shape.slice(-2) as [number, number];
  const positions = g.shape.slice(1, -1);
  const rows = sizeOf(g.shape.slice(0, -1));
  const image = padded(x, attributes);
  const gradient = reshape(g, [rows, filters]);
  const taps = tapsOf(window).map((tap) => reshape(tapOf(image, tap, positions, attributes), [rows, x.shape.at(-1)!]));
  if (groups === 1 && channels <= FEW_CHANNELS) {
    const patches = concatenate(taps, 1);
    return reshape(matmul(transpose(patches, [1, 0]), gradient), shape);
  }
  const parts = taps.map((values): A => {
    if (groups === 1) return reshape(matmul(transpose(copied(values), [1, 0]), gradient), [1, channels, filters]);
    const a = reshape(values, [rows, groups, channels, 1]);
    const b = reshape(gradient, [rows, groups, 1, filters / groups]);
    if (channels === 1) {
      return reshape(sumInSteps(multiply(a, b), [0], false), [1, channels, filters]);
    }
    const grouped = dot(
      reshape(copied(values), [rows, groups, channels]),
      reshape(gradient, [rows, groups, filters / groups]),
      {
        contract: [[0], [0]],
        batch: [[1], [1]],
      },
    );
    return reshape(transpose(grouped, [1, 0, 2]), [1, channels, filters]);
  });
  return reshape(concatenate(parts, 0), shape);
}

const small =
  <Attributes extends ConvolutionAttributes>(
    windowOf: (inputs: readonly TensorSpec[], outputs: readonly TensorSpec[]) => Shape,
  ): NonNullable<Lowering<Attributes>["when"]> =>
  (inputs, { padding }, outputs) =>
    inputs[0]!.dtype === "float32" &&
    sizeOf(windowOf(inputs, outputs)) <= MOST_TAPS &&
    padding.every(([low, high]) => low >= 0 && high >= 0);

/** Convolutions as products of shifted slices; jax-js's own run at a tenth of the speed. */
export const convolutionLowerings = {
  convolution: {
    when: small(([, kernel]) => kernel!.shape.slice(0, -2)),
    lower: ([x, kernel], attributes, [output]) => [convolution(x!, kernel!, attributes, output!.shape)],
  },
  convolutionInputGradient: {
    when: small(([, kernel]) => kernel!.shape.slice(0, -2)),
    lower: ([g, kernel], attributes, [output]) => [inputGradient(g!, kernel!, attributes, output!.shape)],
  },
  convolutionKernelGradient: {
    when: small((_, [output]) => output!.shape.slice(0, -2)),
    lower: ([x, g], attributes, [output]) => [kernelGradient(x!, g!, attributes, output!.shape)],
  },
} satisfies Lowerings;
