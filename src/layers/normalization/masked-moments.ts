import { epsilon } from "../../core/settings.js";
import type { Tensor } from "../../core/tensor.js";
import { add, divide, square, subtract } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { where } from "../../ops/logic.js";
import { sum } from "../../ops/reductions.js";
import { broadcastTo, expandDims, squeeze } from "../../ops/shape.js";

/** Mean and variance over `axes` of the elements that a mask (without the last axis) lets through. */
export function maskedMoments(x: Tensor, mask: Tensor, axes: readonly number[]): [Tensor, Tensor] {
  const counted = broadcastTo(cast(expandDims(mask, -1), "bool"), x.shape);
  const total = (values: Tensor): Tensor => sum(values, { axis: axes, keepdims: true });
  const count = add(total(cast(counted, x.dtype)), epsilon());
  const mean = divide(total(where(counted, x, 0)), count);
  const variance = divide(total(square(where(counted, subtract(x, mean), 0))), count);
  return [squeeze(mean, { axis: axes }), squeeze(variance, { axis: axes })];
}
