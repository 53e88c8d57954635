import type { DType } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { cast } from "../ops/elementwise.js";
import { divideNoNan, multiply } from "../ops/arithmetic.js";
import { logicalAnd } from "../ops/logic.js";
import { sum } from "../ops/reductions.js";
import { expandDims, squeeze } from "../ops/shape.js";
import * as P from "../primitives/index.js";

/** Names of the ways from losses of samples to one number. */
export const reductions = ["sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "none"] as const;
/**
 * How losses become one number: "sum_over_batch_size" and "mean" divide their weighted sum by how many there are, "mean_with_sample_weight"
 * by the sum of their weights, "sum" by nothing; "none" leaves them as they are.
 */
export type Reduction = (typeof reductions)[number];

/** Aligns two tensors whose ranks differ by one on a last axis of size 1. */
export function squeezeOrExpandToSameRank(x1: Tensor, x2: Tensor, expandRank1 = true): [Tensor, Tensor] {
  const [n1, n2] = [x1.ndim, x2.ndim];
  if (n1 === n2 + 1 && x1.shape.at(-1) === 1)
    return n2 === 1 && expandRank1 ? [x1, expandDims(x2, -1)] : [squeeze(x1, { axis: -1 }), x2];
  if (n2 === n1 + 1 && x2.shape.at(-1) === 1)
    return n1 === 1 && expandRank1 ? [expandDims(x1, -1), x2] : [x1, squeeze(x2, { axis: -1 })];
  return [x1, x2];
}

/** Applies a mask to per-sample weights: they count 0 where it is false, and means divide as if those entries were not there. */
export function applyMask(
  sampleWeight: Tensor | null,
  mask: Tensor | null,
  dtype: DType,
  reduction: Reduction,
): Tensor | null {
  if (mask === null) return sampleWeight;
  let weights = cast(mask, dtype);
  if (reduction === "mean" || reduction === "sum_over_batch_size") {
    const total = mask.shape.reduce((n, d) => n * d, 1);
    weights = multiply(weights, divideNoNan(P.full([], total, dtype), sum(weights)));
  }
  if (sampleWeight === null) return weights;
  const [a, b] = squeezeOrExpandToSameRank(cast(sampleWeight, dtype), weights);
  return multiply(a, b);
}

/** Reduces per-sample losses to what is minimized. */
export function reduceWeightedValues(
  values: Tensor,
  {
    sampleWeight,
    mask,
    reduction,
    dtype,
  }: { sampleWeight: Tensor | null; mask: Tensor | null; reduction: Reduction; dtype: DType },
): Tensor {
  const weights = applyMask(sampleWeight === null ? null : cast(sampleWeight, dtype), mask, dtype, reduction);
  let weighted = cast(values, dtype);
  let aligned: Tensor | null = weights;
  if (weights !== null) {
    const [v, w] = squeezeOrExpandToSameRank(weighted, weights);
    aligned = w;
    weighted = multiply(v, w);
  }
  if (reduction === "none" || weighted.ndim === 0 || (weighted.ndim === 1 && weighted.shape[0] === 0)) return weighted;
  const total = sum(weighted);
  if (reduction === "sum") return total;
  const count =
    reduction === "mean_with_sample_weight" && aligned !== null
      ? sum(aligned)
      : P.full(
          [],
          weighted.shape.reduce((n, d) => n * d, 1),
          dtype,
        );
  return divideNoNan(total, count);
}
export const combineMasks = (a: Tensor | null, b: Tensor | null): Tensor | null =>
  a === null ? b : b === null ? a : logicalAnd(a, b);
