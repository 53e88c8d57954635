import type { TensorSpec } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { ConvolutionAttributes, ConvolutionKernelAttributes } from "../../../primitives/index.js";
import { currentDevice } from "../device.js";
import { rounded, scalarType, single } from "../storage.js";
import { isHalf, type Kernel, type Operand, type Ref, type Torch, type TorchKernels } from "../torch.js";
import { device } from "./create.js";
import { channelsFirst, channelsLast, isDegenerate, type Padding, spatialPadding } from "./layout.js";

/** The kernel [...window, in, out] as ATen wants it, [out, in, ...window], as a view. */
const kernelFirst = (torch: Torch, kernel: Ref, rank: number): Ref =>
  torch.call("permute", kernel, [rank + 1, rank, ...Array.from({ length: rank }, (_, i) => i)]);
const kernelLast = (torch: Torch, kernel: Ref, rank: number): Ref =>
  torch.call("permute", kernel, [...Array.from({ length: rank }, (_, i) => i + 2), 1, 0]);

const zeros = (rank: number): number[] => new Array<number>(rank).fill(0);
const isDone = ({ dtype }: Operand, rank: number): boolean =>
  rank >= 1 && rank <= 3 && (dtype === "float32" || isHalf(dtype));

/** Padding that ATen can do itself, the same on both sides, and what has to be added around the input before. */
const split = (padding: Padding): { readonly even: number[]; readonly extra: Padding | null } => {
  const even = padding.map(([low, high]) => Math.max(0, Math.min(low, high)));
  const extra = padding.map(([low, high], i) => [low - even[i]!, high - even[i]!] as const);
  return { even, extra: extra.every(([low, high]) => low === 0 && high === 0) ? null : extra };
};

/** Fewest numbers that lie next to each other in a result: of less, own convolutions leave half of a vector unused. */
const FEWEST_CHANNELS = 5;
/** Most numbers of a kernel whose gradient, unless made by tiles, is summed in the nearest caches. */
const LARGEST_SUMS = 24_000;
/**
 * Strides and padding for this package's own convolutions, where they measured faster than libtorch's: over two axes of
 * float32 images in memory of the host. They take the layout as it is, pad each side by itself, and need half the
 * multiplications for windows of 3x3 with stride 1.
 */
function ownArguments(
  torch: Torch,
  x: Operand,
  { strides, padding, dilation, groups }: ConvolutionAttributes,
  { shape }: TensorSpec,
): readonly (readonly number[])[] | null {
  const fits = x.dtype === "float32" && strides.length === 2 && groups === 1 && dilation.every((d) => d === 1);
  if (!fits || padding.flat().some((n) => n < 0) || currentDevice() !== "cpu") return null;
  return shape.at(-1)! >= FEWEST_CHANNELS && torch.has("keras::convolution2d") ? [strides, padding.flat()] : null;
}
/** Whether a kernel's gradient is made by tiles or is small. */
const isOwnSum = ({ strides, window }: ConvolutionKernelAttributes, { shape }: TensorSpec): boolean =>
  sizeOf(shape) <= LARGEST_SUMS ||
  (strides.every((s) => s === 1) && window.every((w) => w === 3) && shape.slice(2).every((n) => n % 8 === 0));

const convolution: Kernel<ConvolutionAttributes> = (torch, [x, kernel], attributes, [spec]) => {
  const { strides, padding, dilation, groups } = attributes;
  const rank = strides.length;
  if (!isDone(x!, rank) || isDegenerate([x!, kernel!, spec!])) return null;
  const own = ownArguments(torch, x!, attributes, spec!);
  if (own) return [torch.call("keras::convolution2d", x!.ref, kernel!.ref, ...own)];
  const { even, extra } = split(padding);
  const input = channelsFirst(torch, single(torch, x!.ref, x!.dtype), rank);
  const weight = kernelFirst(torch, single(torch, kernel!.ref, x!.dtype), rank);
  const padded = extra ? torch.call("constant_pad_nd", input, spatialPadding(extra), 0) : input;
  const y = torch.call("convolution", padded, weight, null, strides, even, dilation, false, zeros(rank), groups);
  return [rounded(torch, channelsLast(torch, y, rank), spec!.dtype)];
};

/** A tensor of which only shape and layout are read: an image laid out with channels last. */
function imageLike(torch: Torch, shape: readonly number[], rank: number): Ref {
  return channelsFirst(torch, torch.call("empty.memory_format", shape, scalarType.float32, undefined, device()), rank);
}

interface Backward {
  readonly g: Ref;
  readonly input: Ref;
  readonly weight: Ref;
  readonly even: readonly number[];
}
const backward = (
  torch: Torch,
  { g, input, weight, even }: Backward,
  { strides, dilation, groups }: ConvolutionAttributes,
  forInput: boolean,
): Ref => {
  const rank = strides.length;
  const mask = [forInput, !forInput, false];
  const results = torch.callMany(
    "convolution_backward",
    3,
    ...[g, input, weight, null, strides, even, dilation, false, zeros(rank), groups, mask],
  );
  return results[forInput ? 0 : 1]!;
};

const padded = (spatial: readonly number[], extra: Padding | null): number[] =>
  spatial.map((d, i) => (extra ? d + extra[i]![0] + extra[i]![1] : d));

const inputGradient: NonNullable<TorchKernels["convolutionInputGradient"]> = (
  torch,
  [g, kernel],
  attributes,
  [spec],
) => {
  const { spatial, strides, padding } = attributes;
  const rank = strides.length;
  if (!isDone(g!, rank) || isDegenerate([g!, kernel!, spec!])) return null;
  const own = ownArguments(torch, g!, attributes, spec!);
  if (own) return [torch.call("keras::convolution2d_input", g!.ref, kernel!.ref, ...own, spatial)];
  const { even, extra } = split(padding);
  const weight = kernelFirst(torch, single(torch, kernel!.ref, g!.dtype), rank);
  const shape = [spec!.shape[0]!, ...padded(spatial, extra), spec!.shape.at(-1)!];
  if (sizeOf(shape) === 0) return null;
  const input = imageLike(torch, shape, rank);
  const gradient = channelsFirst(torch, single(torch, g!.ref, g!.dtype), rank);
  const dx = backward(torch, { g: gradient, input, weight, even }, attributes, true);
  const cut = extra
    ? torch.call("constant_pad_nd", dx, spatialPadding(extra.map(([low, high]) => [-low, -high] as const)), 0)
    : dx;
  return [rounded(torch, channelsLast(torch, cut, rank), spec!.dtype)];
};

const kernelGradient: NonNullable<TorchKernels["convolutionKernelGradient"]> = (torch, [x, g], attributes, [spec]) => {
  const { strides, padding } = attributes;
  const rank = strides.length;
  if (!isDone(x!, rank) || isDegenerate([x!, g!, spec!])) return null;
  const own = isOwnSum(attributes, spec!) ? ownArguments(torch, x!, attributes, spec!) : null;
  if (own) return [torch.call("keras::convolution2d_kernel", x!.ref, g!.ref, ...own, attributes.window)];
  const { even, extra } = split(padding);
  const input = channelsFirst(torch, single(torch, x!.ref, x!.dtype), rank);
  const around = extra ? torch.call("constant_pad_nd", input, spatialPadding(extra), 0) : input;
  // Only its shape is read; libtorch's convolutions for one filter refuse other layouts.
  const shape = [...spec!.shape.slice(-2).reverse(), ...spec!.shape.slice(0, -2)];
  const weight = torch.call("empty.memory_format", shape, scalarType.float32, undefined, device());
  const gradient = channelsFirst(torch, single(torch, g!.ref, x!.dtype), rank);
  const dw = backward(torch, { g: gradient, input: around, weight, even }, attributes, false);
  return [rounded(torch, kernelLast(torch, dw, rank), spec!.dtype)];
};

export const convolutionKernels = {
  convolution,
  convolutionInputGradient: inputGradient,
  convolutionKernelGradient: kernelGradient,
} satisfies TorchKernels;
