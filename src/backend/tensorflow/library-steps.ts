import { sizeOf } from "../../core/ndarray.js";
import type { ConvolutionAttributes, ConvolutionInputAttributes } from "../../primitives/index.js";
import { type Lower, type Lowerings, type LoweringState, type View } from "../built-in.js";
import { reverseView, transposeView, wholeOf } from "../built-in.js";
import type { LibraryKernels, Region, Window } from "./library-kernels.js";

const regionOf = (of: Float64Array, { root, offset, shape }: View): Region => ({
  ptr: of[root.id]! + 4 * offset,
  size: sizeOf(shape),
});

/** Adds a step that computes `output` from operands by a call of the library. */
function push(
  lowering: LoweringState,
  name: string,
  reads: readonly View[],
  output: number,
  call: (operands: readonly Region[], result: Region) => void,
): void {
  const { shape } = lowering.spec(output);
  const root = lowering.root("float32", sizeOf(shape));
  lowering.step(
    {
      name,
      reads,
      writes: [root],
      prepare:
        ({ of }) =>
        () =>
          call(
            reads.map((view) => regionOf(of, view)),
            regionOf(of, wholeOf(root, shape)),
          ),
    },
    [output],
  );
}
/** Convolutions of fewer multiplications are done before threads have met. */
const LARGE = 1 << 24;
const isLarge = (lowering: LoweringState, output: number, { kernel, channels }: Window): boolean =>
  sizeOf(lowering.spec(output).shape) * sizeOf(kernel) * channels >= LARGE;

const areFloats = (lowering: LoweringState, ids: readonly number[]): boolean =>
  ids.every((id) => lowering.spec(id).dtype === "float32" && sizeOf(lowering.spec(id).shape) > 0);

/** The geometry of a convolution with one or two spatial axes and without groups; one axis is a row of height 1. */
function windowOf(
  x: readonly number[],
  kernel: readonly number[],
  { strides, padding, dilation, groups }: ConvolutionAttributes,
): Window | null {
  const rank = strides.length;
  if (groups !== 1 || rank < 1 || rank > 2) return null;
  const plane = <T>(values: readonly T[], alone: T): [T, T] =>
    rank === 2 ? [values[0]!, values[1]!] : [alone, values[0]!];
  const window = {
    batch: x[0]!,
    size: plane(x.slice(1, -1), 1),
    channels: x.at(-1)!,
    kernel: plane(kernel.slice(0, -2), 1),
    filters: kernel.at(-1)!,
    strides: plane(strides, 1),
    dilation: plane(dilation, 1),
    padding: plane(padding, [0, 0]),
  };
  return window.padding.flat().every((n) => n >= 0) ? window : null;
}

const convolution =
  (library: LibraryKernels): Lower =>
  (lowering, { inputs, outputs, attributes }) => {
    const [x, kernel] = inputs.map((id) => lowering.spec(id).shape) as [readonly number[], readonly number[]];
    const window = windowOf(x, kernel, attributes as ConvolutionAttributes);
    if (!window || !isLarge(lowering, outputs[0]!, window)) return false;
    if (!areFloats(lowering, [...inputs, ...outputs])) return false;
    const reads = inputs.map((id) => lowering.contiguous(lowering.view(id)));
    push(lowering, "convolution", reads, outputs[0]!, ([x, w], y) => library.convolve(window, x!, w!, y));
    return true;
  };

/** The gradient in the input of a convolution without strides: a convolution with the kernel turned around. */
const inputGradient =
  (library: LibraryKernels): Lower =>
  (lowering, { inputs, outputs, attributes }) => {
    const { strides, padding, dilation, groups } = attributes as ConvolutionInputAttributes;
    const [g, kernel] = inputs.map((id) => lowering.spec(id).shape) as [readonly number[], readonly number[]];
    if (strides.some((s) => s !== 1) || !areFloats(lowering, [...inputs, ...outputs])) return false;
    const rank = strides.length;
    const turned = padding.map(([low, high], i) => {
      const reach = (kernel[i]! - 1) * dilation[i]!;
      return [reach - low, reach - high] as const;
    });
    const swapped = [...kernel.slice(0, rank), kernel[rank + 1]!, kernel[rank]!];
    const window = windowOf(g, swapped, { strides, padding: turned, dilation, groups });
    if (!window || !isLarge(lowering, outputs[0]!, window)) return false;
    const spatial = Array.from({ length: rank }, (_, i) => i);
    const filter = transposeView(reverseView(lowering.view(inputs[1]!), spatial), [...spatial, rank + 1, rank]);
    const reads = [lowering.contiguous(lowering.view(inputs[0]!)), lowering.contiguous(filter)];
    push(lowering, "convolutionInputGradient", reads, outputs[0]!, ([g, w], dx) =>
      library.convolve(window, g!, w!, dx),
    );
    return true;
  };

/**
 * Large convolutions by TensorFlow.js's kernels, which share the work among threads: with two they take as long as the built-in ones, with more
 * less. Not matrix products: the library packs the right operand anew each time and on one thread, which alone takes longer than a product.
 */
export const libraryLowerings = (library: LibraryKernels): Lowerings => ({
  convolution: convolution(library),
  convolutionInputGradient: inputGradient(library),
});
