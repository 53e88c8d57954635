import { type ImageDataFormat, standardizeDataFormat } from "../core/settings.js";
import type { Tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";

/** How a window slides: only where it fits, or over as many positions as there are strides. */
export type Padding = "valid" | "same";
type Pair = readonly [low: number, high: number];

/** `value`, checked and in small letters. */
export function paddingOf(op: string, value: string): Padding {
  const lower = value.toLowerCase();
  if (lower === "valid" || lower === "same") return lower;
  throw new TypeError(`${op}: padding must be "valid" or "same". Received: ${JSON.stringify(value)}.`);
}
/** One number for every spatial axis, or as many as there are. */
export function perAxis(op: string, name: string, value: number | readonly number[], rank: number): readonly number[] {
  const all = typeof value === "number" ? Array.from({ length: rank }, () => value) : value;
  if (all.length !== rank || !all.every((n) => Number.isInteger(n) && n > 0))
    throw new RangeError(
      `${op}: ${name} must be one or ${rank} positive integers. Received: ${JSON.stringify(value)}.`,
    );
  return all;
}
/** Elements to add before and after an axis so that windows cover it as `padding` says; the odd one comes after. */
export function paddingAmounts(padding: Padding, size: number, window: number, stride: number, dilation = 1): Pair {
  if (padding === "valid") return [0, 0];
  const extent = (window - 1) * dilation + 1;
  const total = Math.max((Math.ceil(size / stride) - 1) * stride + extent - size, 0);
  const low = Math.floor(total / 2);
  return [low, total - low];
}

/** Number of spatial axes; throws unless there are one to three besides batch and channels. */
export function spatialRank(op: string, x: Tensor): number {
  const rank = x.ndim - 2;
  if (rank < 1 || rank > 3)
    throw new RangeError(`${op}: expected a tensor with 1 to 3 spatial axes. Received shape [${x.shape}].`);
  return rank;
}
/** Runs `body` on `x` with its channels last, and gives the result the layout of `x` again. */
export function channelsLast(x: Tensor, dataFormat: string | null | undefined, body: (x: Tensor) => Tensor): Tensor {
  const format: ImageDataFormat = standardizeDataFormat(dataFormat);
  if (format === "channels_last") return body(x);
  const spatial = Array.from({ length: x.ndim - 2 }, (_, i) => i + 2);
  const y = body(P.transpose(x, [0, ...spatial, 1]));
  return P.transpose(y, [0, y.ndim - 1, ...spatial.map((i) => i - 1)]);
}
