import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, clip, divide, multiply, negative, subtract } from "../ops/arithmetic.js";
import { log } from "../ops/elementwise.js";
import { l2Normalize } from "../ops/normalization.js";
import { mean, sum } from "../ops/reductions.js";
import { softplus } from "../ops/smooth-activations.js";
import { epsilon } from "../core/settings.js";
import { configure } from "../config/configure.js";
import { int, type Options } from "../config/fields.js";
import { aligned, converted } from "./aligned.js";
import { Loss, type LossOptions, named } from "./loss.js";
import { functionLoss } from "./function-loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

/** Kullback-Leibler divergence of predicted from true distributions over the last axis. */
export function klDivergence(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = converted(yTrue, yPred).map((x) => clip(x, epsilon(), 1)) as [Tensor, Tensor];
  return sum(multiply(t, log(divide(t, p))), { axis: -1 });
}
/** Mean negative logarithm of the Poisson likelihood, without what does not depend on the prediction. */
export function poisson(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = converted(yTrue, yPred);
  return mean(subtract(p, multiply(t, log(add(p, epsilon())))), { axis: -1 });
}
/** Mean of log(cosh(error)), in a form that does not overflow. */
export function logCosh(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = aligned(yTrue, yPred);
  const error = subtract(p, t);
  return mean(subtract(add(error, softplus(multiply(error, -2))), Math.LN2), { axis: -1 });
}
/** Negative cosine of the angle between target and prediction along `axis`. */
export function cosineSimilarity(
  yTrue: TensorLike,
  yPred: TensorLike,
  { axis = -1 }: { axis?: number | undefined } = {},
): Tensor {
  const [t, p] = aligned(yTrue, yPred);
  return negative(sum(multiply(l2Normalize(t, axis), l2Normalize(p, axis)), { axis }));
}

/** Kullback-Leibler divergence of predicted from true distributions. */
export class KLDivergence extends functionLoss("KLDivergence", "kl_divergence", klDivergence) {}
/** Negative logarithm of the Poisson likelihood. */
export class Poisson extends functionLoss("Poisson", "poisson", poisson) {}
/** Logarithm of the hyperbolic cosine of the error. */
export class LogCosh extends functionLoss("LogCosh", "log_cosh", logCosh) {}

const cosineFields = {
  name: named("cosine_similarity"),
  axis: int(-1),
};
export interface CosineSimilarityLossOptions extends LossOptions, Options<typeof cosineFields> {}
/** Negative cosine of the angle between target and prediction. */
export class CosineSimilarity extends configure(Loss, "CosineSimilarity", cosineFields) {
  constructor(options: CosineSimilarityLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return cosineSimilarity(...squeezeOrExpandToSameRank(yTrue, yPred), { axis: this.axis });
  }
}
