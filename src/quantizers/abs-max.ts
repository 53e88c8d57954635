import { toTensor } from "../core/convert.js";
import { type DType, standardizeDType } from "../core/dtype.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, clip, divide, multiply } from "../ops/arithmetic.js";
import { max } from "../ops/reductions.js";
import * as P from "../primitives/index.js";

/** The smallest and the largest value of a quantized type. */
export type ValueRange = readonly [min: number, max: number];

export interface AbsMaxOptions {
  readonly valueRange?: ValueRange | undefined;
  /** Type of the quantized values; "int8" when left out. */
  readonly dtype?: string | undefined;
  /** Added to the largest magnitude, so that nothing is divided by zero. */
  readonly epsilon?: number | undefined;
  /** For calls that follow Python: there it computes on the host, which changes no result. */
  readonly toNumpy?: boolean | undefined;
}

/**
 * Integers and their scale, which is `valueRange[1] / (max |inputs| + epsilon)` along `axis`, with the axis kept.
 * `quantized / scale` gives the inputs back, up to rounding.
 */
export function absMaxQuantize(
  inputs: TensorLike,
  axis: number | readonly number[] | null,
  { valueRange = [-127, 127], dtype = "int8", epsilon = 1e-7 }: AbsMaxOptions = {},
): [quantized: Tensor, scale: Tensor] {
  const x = toTensor(inputs);
  const largest = max(P.abs(x), { axis, keepdims: true });
  const scale = P.cast(divide(valueRange[1], add(largest, epsilon)), x.dtype);
  return [roundTo(multiply(x, scale), valueRange, dtype), scale];
}

/** `x` rounded to the nearest (halves to even), kept in a range, as `dtype`. */
export function roundTo(x: Tensor, [low, high]: ValueRange, dtype: string): Tensor {
  return P.cast(clip(P.round(x), low, high), standardizeDType(dtype, "int8" satisfies DType));
}
