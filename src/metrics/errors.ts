import { configure } from "../config/configure.js";
import { int, type Options } from "../config/fields.js";
import { toTensor } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { categoricalHinge, hinge, squaredHinge } from "../losses/hinge.js";
import { cosineSimilarity, klDivergence, logCosh, poisson } from "../losses/divergence.js";
import * as errors from "../losses/functions.js";
import { squeezeOrExpandToSameRank } from "../losses/reduce.js";
import { negative, sqrt, square, subtract } from "../ops/arithmetic.js";
import { Mean, MeanOfFunction } from "./mean.js";
import { onlyOneGiven } from "./comparing-metric.js";
import { lossMean } from "./function-mean.js";
import { type MetricOptions, named } from "./metric.js";

/** Mean of squared differences. */
export class MeanSquaredError extends lossMean("MeanSquaredError", "mean_squared_error", errors.meanSquaredError) {}
/** Mean of absolute differences. */
export class MeanAbsoluteError extends lossMean("MeanAbsoluteError", "mean_absolute_error", errors.meanAbsoluteError) {}
/** Mean of absolute differences relative to the targets, in percent. */
export class MeanAbsolutePercentageError extends lossMean(
  "MeanAbsolutePercentageError",
  "mean_absolute_percentage_error",
  errors.meanAbsolutePercentageError,
) {}
/** Mean of squared differences of logarithms. */
export class MeanSquaredLogarithmicError extends lossMean(
  "MeanSquaredLogarithmicError",
  "mean_squared_logarithmic_error",
  errors.meanSquaredLogarithmicError,
) {}
/** Mean logarithm of the hyperbolic cosine of the error. */
export class LogCoshError extends lossMean("LogCoshError", "logcosh", logCosh) {}
/** Mean shortfall from a margin of 1. */
export class Hinge extends lossMean("Hinge", "hinge", hinge) {}
/** Mean squared shortfall from a margin of 1. */
export class SquaredHinge extends lossMean("SquaredHinge", "squared_hinge", squaredHinge) {}
/** Mean shortfall of the true class's lead from 1. */
export class CategoricalHinge extends lossMean("CategoricalHinge", "categorical_hinge", categoricalHinge) {}
/** Mean Kullback-Leibler divergence. */
export class KLDivergence extends lossMean("KLDivergence", "kl_divergence", klDivergence) {}
/** Mean negative logarithm of the Poisson likelihood. */
export class Poisson extends lossMean("Poisson", "poisson", poisson) {}

/** Root of the mean of squared differences. */
export class RootMeanSquaredError extends configure(Mean, "RootMeanSquaredError", {
  name: named("root_mean_squared_error"),
}) {
  constructor(options: MetricOptions = {}) {
    super(options);
  }
  override get direction(): "down" {
    return "down";
  }
  override updateState(
    yTrue: TensorLike,
    yPred: TensorLike | null = null,
    sampleWeight: TensorLike | null = null,
  ): void {
    if (yPred === null) throw onlyOneGiven(this);
    const [t, p] = squeezeOrExpandToSameRank(toTensor(yTrue, this.dtype), toTensor(yPred, this.dtype));
    super.updateState(square(subtract(p, t)), sampleWeight);
  }
  override result(): Tensor {
    return sqrt(super.result());
  }
}

const cosineFields = {
  name: named("cosine_similarity"),
  // Python Keras forgets it when it saves.
  axis: int(-1, { saved: false }),
};
export interface CosineSimilarityOptions extends MetricOptions, Options<typeof cosineFields> {}
/** Mean cosine of the angle between targets and predictions. */
export class CosineSimilarity extends configure(MeanOfFunction, "CosineSimilarity", cosineFields) {
  constructor(options: CosineSimilarityOptions = {}) {
    super(options);
  }
  override get direction(): "up" {
    return "up";
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    return negative(cosineSimilarity(yTrue, yPred, { axis: this.axis }));
  }
}
