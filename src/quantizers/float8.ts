import { toTensor } from "../core/convert.js";
import { standardizeDType } from "../core/dtype.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { clip, divide, multiply, reciprocal } from "../ops/arithmetic.js";
import { isfinite } from "../ops/elementwise.js";
import { where } from "../ops/logic.js";
import { max } from "../ops/reductions.js";
import * as P from "../primitives/index.js";

/** The largest finite values of the float8 types (OCP 8-bit floating point specification 1.0). */
const largest: Readonly<Record<string, number>> = { float8_e4m3fn: 448, float8_e5m2: 57344 };

/** The scale that maps magnitudes up to `amax` onto a float8 type whose largest value is `dtypeMax`; `scale` where `amax` is 0 or not finite. */
export function computeFloat8Scale(
  amax: TensorLike,
  scale: TensorLike,
  dtypeMax: TensorLike,
  { margin = 0 }: { readonly margin?: number | undefined } = {},
): Tensor {
  const seen = toTensor(amax);
  const before = reciprocal(scale);
  const fitting = divide(divide(dtypeMax, seen), 2 ** margin);
  const usable = P.logicalAnd(P.greater(seen, P.full([], 0, seen.dtype)), isfinite(seen));
  return reciprocal(where(usable, fitting, before));
}

/** The history one step on: the oldest value leaves, and the largest magnitude of `x` takes the first place. */
export function computeFloat8AmaxHistory(x: TensorLike, amaxHistory: TensorLike): Tensor {
  const history = toTensor(amaxHistory);
  const size = history.shape[0]!;
  const newest = P.reshape(P.cast(max(P.abs(toTensor(x))), history.dtype), [1]);
  if (size === 1) return newest;
  // Rolled by one, the second oldest value would come first: the newest replaces it.
  return P.concatenate([newest, P.slice(history, [2], [size]), P.slice(history, [0], [1])], 0);
}

/** `inputs / scale` rounded to a float8 type, and back in `computeDtype`: what a float8 computation would have seen. */
export function quantizeAndDequantize(
  inputs: TensorLike,
  scale: TensorLike,
  quantizedDtype: string,
  computeDtype: string,
): Tensor {
  const limit = largest[quantizedDtype];
  if (limit === undefined)
    throw new TypeError(
      `\`quantizedDtype\` must be one of: ${Object.keys(largest).join(", ")}. Received: ${JSON.stringify(quantizedDtype)}.`,
    );
  const compute = standardizeDType(computeDtype, floatx());
  const by = toTensor(scale, compute);
  const small = P.cast(clip(divide(inputs, by), -limit, limit), standardizeDType(quantizedDtype, floatx()));
  return multiply(P.cast(small, compute), by);
}
