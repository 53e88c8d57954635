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
  repeated,
  stored,
  transpose,
} from "../ops.js";
import { dot } from "./dot.js";
import { type Lowering, type Lowerings } from "./lowering.js";
import { pad, spread } from "./movement.js";
import { sumInSteps } from "./reduce.js";
import { MOST_TAPS, tapOf, tapsOf } from "./taps.js";
import { everyNth, framed, part, windows } from "./windows.js";

/** Up to this many input channels products are taken element by element: the rows are too short for matrix products. */
const FEW_CHANNELS = 4;

/** Images up to this size in bytes are kept with their margins from the forward to the backward pass. */
const KEPT = 1 << 25;
const kept = new WeakMap<A, Map<string, A>>();

/** `images` of `x` with its margins; those beyond the batch repeat its first. */
function padded(x: A, { padding }: ConvolutionAttributes, images = x.shape[0]!): A {
  const channels = x.shape.at(-1)!;
  const low = padding.map(([n]) => n);
  const high = padding.map(([, n]) => n);
  const margins = [...low, ...high];
  const isBare = margins.every((n) => n === 0);
  if (isBare && images === x.shape[0]) return x;
  const key = `${images} ${margins}`;
  const known = kept.get(x)?.get(key);
  if (known) return known;
  const wide = isBare
    ? stored(repeated(x, images))
    : channels % 4 === 0 && margins.every((n) => n >= 0)
      ? framed(x, low, high, images)
      : stored(
          repeated(
            stored(
              pad(x, {
                low: [0, ...low, 0],
                high: [0, ...high, 0],
                interior: x.shape.map(() => 0),
                value: 0,
              }),
            ),
            images,
          ),
        );
  if (sizeOf(wide.shape) * 4 <= KEPT) kept.set(x, (kept.get(x) ?? new Map<string, A>()).set(key, wide));
  return wide;
}

/**
 * The parts of a convolution without groups: for each the operand of a matrix product, a view [images, ...positions, k], and the k rows of
 * the kernel's matrix that it meets. Neighbours in the last spatial axis lie together in memory with all their channels and make one part.
 */
function partsOf(image: A, window: Shape, positions: Shape, { strides, dilation }: ConvolutionAttributes): A[] {
  const [images, ...rest] = image.shape as [number, ...number[]];
  const last = window.length - 1;
  const [width, channels] = rest.slice(-2) as [number, number];
  const isOneRun = dilation[last] === 1;
  const run = isOneRun ? window[last]! : 1;
  const rows = reshape(image, [images, ...rest.slice(0, -2), width * channels]);
  return tapsOf(isOneRun ? [...window.slice(0, -1), 1] : window).map((tap) => {
    const start = tap.map((t, i) => t * dilation[i]!);
    const size = (i: number): number => (positions[i]! - 1) * strides[i]! + 1;
    const lead = start.slice(0, -1);
    const first = start[last]! * channels;
    const cut = slice(
      rows,
      [0, ...lead, first],
      [images, ...lead.map((s, i) => s + size(i)), first + (size(last) + run - 1) * channels],
    );
    const thinned = lead.reduce((view, _, i) => everyNth(view, i + 1, strides[i]!), cut);
    return run === 1 && strides[last] === 1
      ? reshape(thinned, [images, ...positions, channels])
      : windows(thinned, last + 1, run * channels, strides[last]! * channels);
  });
}

/**
 * How many images make the rows of a product such that jax-js takes them by two: by four, which it does where it can, they need more
 * registers than there are, and take a third longer.
 */
function fastBatch(batch: number, positions: Shape): number {
  const rows = sizeOf(positions);
  if (batch < 16 || rows % 4 === 0) return batch;
  return rows % 2 === 0 ? batch + 1 - (batch % 2) : batch + ((6 - (batch % 4)) % 4);
}

function convolution(x: A, kernel: A, attributes: ConvolutionAttributes, shape: Shape): A {
  const positions = shape.slice(1, -1);
  const window = kernel.shape.slice(0, -2);
  const [batch, filters] = [shape[0]!, shape.at(-1)!];
  if (attributes.groups > 1) return grouped(x, kernel, attributes, shape);
  const images = fastBatch(batch, positions);
  const parts = partsOf(padded(x, attributes, images), window, positions, attributes);
  const matrices = reshape(kernel, [parts.length, parts[0]!.shape.at(-1)!, filters]);
  const terms = parts.map((rows, i) =>
    part(matmul(rows, reshape(part(matrices, 0, i, i + 1), matrices.shape.slice(1))), 0, 0, batch),
  );
  return terms.reduce(add);
}

/** Values of one tap [rows, channels] times its matrix [channels / groups, filters]. */
function tapProduct(values: A, matrix: A, groups: number): A {
  const [channels, filters] = matrix.shape as [number, number];
  const rows = values.shape[0]!;
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
  const a = reshape(stored(values), [rows, groups, channels]);
  const b = reshape(matrix, [channels, groups, filters / groups]);
  const product = dot(a, b, { contract: [[2], [0]], batch: [[1], [1]] });
  return reshape(transpose(product, [1, 0, 2]), [rows, filters]);
}
/** The kernel's matrix [channels / groups, filters] at one tap. */
function matrixAt(kernel: A, tap: readonly number[]): A {
  const [channels, filters] = kernel.shape.slice(-2) as [number, number];
  return reshape(slice(kernel, [...tap, 0, 0], [...tap.map((t) => t + 1), channels, filters]), [channels, filters]);
}
function grouped(x: A, kernel: A, attributes: ConvolutionAttributes, shape: Shape): A {
  const positions = shape.slice(1, -1);
  const image = padded(x, attributes);
  const rows = sizeOf(shape.slice(0, -1));
  const terms = tapsOf(kernel.shape.slice(0, -2)).map((tap) => {
    const values = reshape(tapOf(image, tap, positions, attributes), [rows, x.shape.at(-1)!]);
    return tapProduct(values, matrixAt(kernel, tap), attributes.groups);
  });
  return reshape(terms.reduce(add), shape);
}

/** The transpose in x: a convolution of the spread gradient with the kernel turned around. */
function inputGradient(g: A, kernel: A, attributes: ConvolutionAttributes, shape: Shape): A {
  const { strides, padding, dilation, groups } = attributes;
  const window = kernel.shape.slice(0, -2);
  const [channels, filters] = kernel.shape.slice(-2) as [number, number];
  const spatial = window.map((_, i) => i);
  const none = [0, ...spatial.map(() => 0), 0];
  const apart = spread(g, { low: none, high: none, interior: [0, ...strides.map((s) => s - 1), 0] });
  const margins = window.map((size, i): [number, number] => {
    const low = (size - 1) * dilation[i]! - padding[i]![0];
    return [low, shape[i + 1]! + (size - 1) * dilation[i]! - low - apart.shape[i + 1]!];
  });
  const n = window.length;
  const split = reshape(reverse(kernel, spatial), [...window, channels, groups, filters / groups]);
  const swapped = transpose(split, [...spatial, n + 2, n + 1, n]);
  const flipped = reshape(stored(swapped), [...window, filters / groups, groups * channels]);
  const ones = strides.map(() => 1);
  return convolution(apart, flipped, { strides: ones, padding: margins, dilation, groups }, shape);
}

function kernelGradient(x: A, g: A, attributes: ConvolutionAttributes, shape: Shape): A {
  const window = shape.slice(0, -2);
  const filters = shape.at(-1)!;
  const batch = g.shape[0]!;
  const positions = g.shape.slice(1, -1);
  const rows = sizeOf(g.shape.slice(0, -1));
  const gradient = reshape(g, [rows, filters]);
  if (attributes.groups > 1) return groupedKernelGradient(x, gradient, attributes, positions, shape);
  // As in `fastBatch`, for the rows of the kernel's matrix: two more are read from the copies of another image.
  const images = Math.max(batch + 1, fastBatch(batch, positions));
  const parts = partsOf(padded(x, attributes, images), window, positions, attributes);
  const products = parts.map((view) => {
    const k = view.shape.at(-1)!;
    const taken = k % 4 === 0 ? k + 2 : k + (k % 2);
    const copies = reshape(stored(view), [sizeOf(view.shape)]);
    const columns = windows(part(copies, 0, 0, (rows - 1) * k + taken), 0, taken, k);
    return reshape(part(matmul(transpose(columns, [1, 0]), gradient), 0, 0, k), [1, k, filters]);
  });
  return reshape(concatenate(products, 0), shape);
}
function groupedKernelGradient(
  x: A,
  gradient: A,
  attributes: ConvolutionAttributes,
  positions: Shape,
  shape: Shape,
): A {
  const { groups } = attributes;
  const [channels, filters] = shape.slice(-2) as [number, number];
  const rows = gradient.shape[0]!;
  const image = padded(x, attributes);
  const parts = tapsOf(shape.slice(0, -2)).map((tap): A => {
    const values = reshape(tapOf(image, tap, positions, attributes), [rows, x.shape.at(-1)!]);
    if (channels === 1) {
      const a = reshape(values, [rows, groups, 1, 1]);
      const b = reshape(gradient, [rows, groups, 1, filters / groups]);
      return reshape(sumInSteps(multiply(a, b), [0], false), [1, 1, filters]);
    }
    const product = dot(
      reshape(stored(values), [rows, groups, channels]),
      reshape(gradient, [rows, groups, filters / groups]),
      { contract: [[0], [0]], batch: [[1], [1]] },
    );
    return reshape(transpose(product, [1, 0, 2]), [1, channels, filters]);
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
