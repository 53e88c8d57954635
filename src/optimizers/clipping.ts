import type { Tensor } from "../core/tensor.js";
import { clip, divide, maximum, minimum, multiply, square } from "../ops/arithmetic.js";
import { sqrt } from "../ops/arithmetic.js";
import { isfinite } from "../ops/elementwise.js";
import { where } from "../ops/logic.js";
import { sum } from "../ops/reductions.js";

export interface Clipping {
  /** Each gradient is scaled down to this norm. */
  readonly clipnorm: number | null;
  /** All gradients together are scaled down to this norm. */
  readonly globalClipnorm: number | null;
  /** Each element is limited to this magnitude. */
  readonly clipvalue: number | null;
}

/** Limits gradients as an optimizer is told to. */
export function clipGradients(
  gradients: readonly Tensor[],
  { clipnorm, globalClipnorm, clipvalue }: Clipping,
): readonly Tensor[] {
  if (clipnorm !== null && clipnorm > 0) return gradients.map((g) => clipByNorm(g, clipnorm));
  if (globalClipnorm !== null && globalClipnorm > 0) return clipByGlobalNorm(gradients, globalClipnorm);
  if (clipvalue !== null && clipvalue > 0) return gradients.map((g) => clip(g, -clipvalue, clipvalue));
  return gradients;
}

function clipByNorm(g: Tensor, limit: number): Tensor {
  const squares = sum(square(g));
  const positive = squares.greater(0);
  const norm = where(positive, sqrt(where(positive, squares, 1)), squares);
  return divide(multiply(g, limit), maximum(norm, limit));
}
function clipByGlobalNorm(gradients: readonly Tensor[], limit: number): Tensor[] {
  const norm = sqrt(gradients.map((g) => sum(square(g))).reduce((a, b) => a.add(b)));
  const scale = multiply(limit, minimum(divide(1, norm), 1 / limit));
  // An infinite or undefined norm says so in every gradient.
  const factor = where(isfinite(norm), scale, NaN);
  return gradients.map((g) => multiply(g, factor.cast(g.dtype)));
}
