import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { channelsLast, paddingAmounts, paddingOf, perAxis, spatialRank } from "./windows.js";
import { toFloat } from "./support.js";

export interface ConvOptions {
  /** Steps of the window, for all spatial axes or each. */
  strides?: number | readonly number[] | undefined;
  /** "valid" or "same". */
  padding?: string | undefined;
  /** "channels_last", "channels_first", or the default format when null. */
  dataFormat?: string | null | undefined;
  /** Distances of the window's taps. */
  dilationRate?: number | readonly number[] | undefined;
}

/** Inputs and kernel as floats of one dtype, that of the kernel. */
function operands(op: string, inputs: TensorLike, kernel: TensorLike): [Tensor, Tensor] {
  const w = toFloat(kernel);
  const x = toTensor(inputs, w.dtype);
  const rank = spatialRank(op, x);
  if (w.ndim !== rank + 2)
    throw new RangeError(`${op}: a kernel for inputs [${x.shape}] has rank ${rank + 2}. Received shape [${w.shape}].`);
  return [x, w];
}

/** Cross-correlation of channels-last `x` in groups of channels. */
function correlate(
  op: string,
  x: Tensor,
  kernel: Tensor,
  groups: number,
  { strides = 1, padding = "valid", dilationRate = 1 }: ConvOptions,
): Tensor {
  const rank = spatialRank(op, x);
  const step = perAxis(op, "strides", strides, rank);
  const dilation = perAxis(op, "dilationRate", dilationRate, rank);
  const mode = paddingOf(op, padding);
  const y = P.convolution(x, kernel, {
    strides: step,
    padding: step.map((s, i) => paddingAmounts(mode, x.shape[i + 1]!, kernel.shape[i]!, s, dilation[i])),
    dilation,
    groups,
  });
  if (y.shape.slice(1, -1).includes(0) && !x.shape.includes(0))
    throw new RangeError(
      `${op}: nothing is left of inputs [${x.shape}] under a kernel [${kernel.shape}] with strides [${step}] and dilation [${dilation}].`,
    );
  return y;
}
/** Convolution in as many groups as the kernel's input channels say. */
function convolve(op: string, x: Tensor, kernel: Tensor, options: ConvOptions): Tensor {
  const channels = x.shape.at(-1)!;
  const perGroup = kernel.shape.at(-2)!;
  if (channels % perGroup > 0)
    throw new RangeError(
      `${op}: the kernel [${kernel.shape}] takes ${perGroup} input channels, which must divide those of the inputs. Received inputs [${x.shape}].`,
    );
  return correlate(op, x, kernel, Number.isNaN(channels) ? 1 : channels / perGroup, options);
}

/**
 * Convolution (cross-correlation) over 1 to 3 spatial axes: inputs [batch, ...spatial, channels], kernel
 * [...window, channels / groups, filters].
 */
export const conv = defineOp("nn.Conv", (inputs: TensorLike, kernel: TensorLike, options: ConvOptions = {}): Tensor => {
  const [x, w] = operands("conv", inputs, kernel);
  return channelsLast(x, options.dataFormat, (t) => convolve("conv", t, w, options));
});

function depthwise(op: string, x: Tensor, kernel: Tensor, options: ConvOptions): Tensor {
  const [channels, multiplier] = kernel.shape.slice(-2) as [number, number];
  const given = x.shape.at(-1)!;
  if (given !== channels && !Number.isNaN(given))
    throw new RangeError(
      `${op}: the kernel [${kernel.shape}] takes ${channels} input channels. Received inputs [${x.shape}].`,
    );
  const flat = P.reshape(kernel, [...kernel.shape.slice(0, -2), 1, channels * multiplier]);
  return correlate(op, x, flat, channels, options);
}
/** Convolves every channel on its own: kernel [...window, channels, multiplier]; gives channels · multiplier channels. */
export const depthwiseConv = defineOp(
  "nn.DepthwiseConv",
  (inputs: TensorLike, kernel: TensorLike, options: ConvOptions = {}): Tensor => {
    const [x, w] = operands("depthwiseConv", inputs, kernel);
    return channelsLast(x, options.dataFormat, (t) => depthwise("depthwiseConv", t, w, options));
  },
);
/** A depthwise convolution, whose channels a 1-wide convolution (`pointwiseKernel` [1..., channels · multiplier, filters]) then mixes. */
export const separableConv = defineOp(
  "nn.SeparableConv",
  (inputs: TensorLike, depthwiseKernel: TensorLike, pointwiseKernel: TensorLike, options: ConvOptions = {}): Tensor => {
    const [x, w] = operands("separableConv", inputs, depthwiseKernel);
    const mix = toTensor(pointwiseKernel, w.dtype);
    return channelsLast(x, options.dataFormat, (t) =>
      convolve("separableConv", depthwise("separableConv", t, w, options), mix, {}),
    );
  },
);

export interface ConvTransposeOptions extends ConvOptions {
  /** Size added at the end of each spatial axis of the result; chosen from the other options when null. */
  outputPadding?: number | readonly number[] | null | undefined;
}
/** What of the full result of a transposed convolution is cut off (or, where negative, added) before and after an axis. */
function transposedCuts(
  padding: "valid" | "same",
  extent: number,
  stride: number,
  outputPadding: number | null,
): readonly [before: number, after: number] {
  if (padding === "valid") return [0, -(outputPadding ?? Math.max(extent, stride) - extent)];
  const total = outputPadding === null ? stride + extent - 2 : extent + (extent % 2) - 2 + outputPadding;
  const left = Math.min(Math.ceil(total / 2), extent - 1);
  return [extent - 1 - left, extent - 1 - (total - left)];
}
/**
 * Transposed convolution: the gradient of `conv` in its inputs. Inputs [batch, ...spatial, channels], kernel
 * [...window, filters, channels].
 */
export const convTranspose = defineOp(
  "nn.ConvTranspose",
  (inputs: TensorLike, kernel: TensorLike, options: ConvTransposeOptions = {}): Tensor => {
    const [x, w] = operands("convTranspose", inputs, kernel);
    return channelsLast(x, options.dataFormat, (t) => transposed(t, w, options));
  },
);
function transposed(
  x: Tensor,
  kernel: Tensor,
  { strides = 1, padding = "valid", dilationRate = 1, outputPadding = null }: ConvTransposeOptions,
): Tensor {
  const op = "convTranspose";
  const rank = spatialRank(op, x);
  const step = perAxis(op, "strides", strides, rank);
  const dilation = perAxis(op, "dilationRate", dilationRate, rank);
  const extra = typeof outputPadding === "number" ? step.map(() => outputPadding) : outputPadding;
  const mode = paddingOf(op, padding);
  const channels = x.shape.at(-1)!;
  if (channels !== kernel.shape.at(-1)! && !Number.isNaN(channels))
    throw new RangeError(
      `${op}: the kernel [${kernel.shape}] takes ${kernel.shape.at(-1)} input channels. Received inputs [${x.shape}].`,
    );
  const extents = step.map((_, i) => (kernel.shape[i]! - 1) * dilation[i]! + 1);
  const cuts = step.map((s, i) => transposedCuts(mode, extents[i]!, s, extra?.[i] ?? null));
  const attributes = {
    strides: step,
    padding: cuts.map(([before, after]) => [before, Math.max(0, after)] as const),
    dilation,
    groups: 1,
  };
  const spatial = step.map((s, i) => (x.shape[i + 1]! - 1) * s + extents[i]! - cuts[i]![0] - Math.max(0, cuts[i]![1]));
  const y = P.convolutionInputGradient(x, kernel, attributes, spatial);
  // What lies beyond the reach of the kernel is zero.
  const beyond = [0, ...cuts.map(([, after]) => Math.max(0, -after)), 0];
  if (beyond.every((n) => n === 0)) return y;
  const none = beyond.map(() => 0);
  return P.pad(y, { low: none, high: beyond, interior: none, value: 0 });
}
