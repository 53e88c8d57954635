import { configure } from "../config/configure.js";
import { bool, float, int, type Options, optional } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import * as functions from "./functions.js";
import { Loss, type LossOptions, named } from "./loss.js";
import { functionLoss } from "./function-loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

/** Mean of squared differences. */
export class MeanSquaredError extends functionLoss(
  "MeanSquaredError",
  "mean_squared_error",
  functions.meanSquaredError,
) {}
/** Mean of absolute differences. */
export class MeanAbsoluteError extends functionLoss(
  "MeanAbsoluteError",
  "mean_absolute_error",
  functions.meanAbsoluteError,
) {}
/** Mean of absolute differences relative to the targets, in percent. */
export class MeanAbsolutePercentageError extends functionLoss(
  "MeanAbsolutePercentageError",
  "mean_absolute_percentage_error",
  functions.meanAbsolutePercentageError,
) {}
/** Mean of squared differences of logarithms. */
export class MeanSquaredLogarithmicError extends functionLoss(
  "MeanSquaredLogarithmicError",
  "mean_squared_logarithmic_error",
  functions.meanSquaredLogarithmicError,
) {}

const binaryFields = {
  name: named("binary_crossentropy"),
  fromLogits: bool(false),
  labelSmoothing: float(0),
  axis: int(-1),
};
export interface BinaryCrossentropyLossOptions extends LossOptions, Options<typeof binaryFields> {}
/** Crossentropy of independent yes/no targets. */
export class BinaryCrossentropy extends configure(Loss, "BinaryCrossentropy", binaryFields) {
  constructor(options: BinaryCrossentropyLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return functions.binaryCrossentropy(...squeezeOrExpandToSameRank(yTrue, yPred), this);
  }
}
const categoricalFields = {
  name: named("categorical_crossentropy"),
  fromLogits: bool(false),
  labelSmoothing: float(0),
  axis: int(-1),
};
export interface CategoricalCrossentropyLossOptions extends LossOptions, Options<typeof categoricalFields> {}
/** Crossentropy of one-hot targets. */
export class CategoricalCrossentropy extends configure(Loss, "CategoricalCrossentropy", categoricalFields) {
  constructor(options: CategoricalCrossentropyLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return functions.categoricalCrossentropy(...squeezeOrExpandToSameRank(yTrue, yPred), this);
  }
}
const sparseFields = {
  name: named("sparse_categorical_crossentropy"),
  fromLogits: bool(false),
  ignoreClass: optional(int()),
  axis: int(-1),
};
export interface SparseCategoricalCrossentropyLossOptions extends LossOptions, Options<typeof sparseFields> {}
/** Crossentropy of class indices. */
export class SparseCategoricalCrossentropy extends configure(Loss, "SparseCategoricalCrossentropy", sparseFields) {
  constructor(options: SparseCategoricalCrossentropyLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return functions.sparseCategoricalCrossentropy(...squeezeOrExpandToSameRank(yTrue, yPred), this);
  }
}
