import { configure } from "../config/configure.js";
import { float } from "../config/fields.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { divide, multiply, power, subtract } from "../ops/arithmetic.js";
import { oneHot } from "../ops/crossentropy.js";
import { sum } from "../ops/reductions.js";
import { toFloat } from "../ops/support.js";
import { Loss, type LossOptions, named } from "./loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

/** (1 - p^q) / q, with p the probability of the true class: less sure of wrong labels than crossentropy (Zhang and Sabuncu, 2018). */
export function categoricalGeneralizedCrossEntropy(yTrue: TensorLike, yPred: TensorLike, q: number): Tensor {
  const p = toFloat(yPred);
  const picked = oneHot(yTrue, p.shape.at(-1)!, { dtype: p.dtype });
  return divide(subtract(1, power(sum(multiply(p, picked), { axis: -1 }), q)), q);
}

const fields = {
  name: named("categorical_generalized_cross_entropy"),
  /** Between crossentropy (towards 0) and mean absolute error (towards 1). */
  q: float(0.5, { above: 0, below: 1 }),
};
/** A crossentropy of class indices that noise in the labels disturbs less. */
export class CategoricalGeneralizedCrossEntropy extends configure(Loss, "CategoricalGeneralizedCrossEntropy", fields) {
  constructor(options: LossOptions & { q?: number } = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return categoricalGeneralizedCrossEntropy(...squeezeOrExpandToSameRank(yTrue, yPred), this.q);
  }
}
