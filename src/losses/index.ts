import { makeLookup } from "../config/lookup.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { Circle, circle } from "./circle.js";
import * as classes from "./classes.js";
import { CTC, ctc } from "./ctc.js";
import * as divergence from "./divergence.js";
import * as focal from "./focal.js";
import * as functions from "./functions.js";
import * as generalized from "./generalized-crossentropy.js";
import * as hinges from "./hinge.js";
import { Huber, huber } from "./huber.js";
import * as overlap from "./overlap.js";
import type { Loss } from "./loss.js";

export { Loss, type LossOptions } from "./loss.js";
export * from "./classes.js";
export * from "./functions.js";
export * from "./circle.js";
export * from "./ctc.js";
export * from "./divergence.js";
export * from "./focal.js";
export * from "./generalized-crossentropy.js";
export * from "./hinge.js";
export * from "./huber.js";
export * from "./overlap.js";

/** What `compile` takes as loss: per-sample losses as a function, or a Loss that reduces them. */
export type LossFunction = Loss | ((yTrue: TensorLike, yPred: TensorLike) => Tensor);
const mse = functions.meanSquaredError;
const mae = functions.meanAbsoluteError;
const mape = functions.meanAbsolutePercentageError;
const msle = functions.meanSquaredLogarithmicError;

/** Finds losses by class name, function name, alias, config, class or instance. */
export const losses = makeLookup({
  kind: "loss",
  module: "keras.losses",
  objects: {
    ...classes,
    Circle,
    CTC,
    Huber,
    BinaryFocalCrossentropy: focal.BinaryFocalCrossentropy,
    CategoricalFocalCrossentropy: focal.CategoricalFocalCrossentropy,
    CosineSimilarity: divergence.CosineSimilarity,
    KLDivergence: divergence.KLDivergence,
    LogCosh: divergence.LogCosh,
    Poisson: divergence.Poisson,
    Hinge: hinges.Hinge,
    SquaredHinge: hinges.SquaredHinge,
    CategoricalHinge: hinges.CategoricalHinge,
    Dice: overlap.Dice,
    Tversky: overlap.Tversky,
    mean_squared_error: mse,
    mean_absolute_error: mae,
    mean_absolute_percentage_error: mape,
    mean_squared_logarithmic_error: msle,
    binary_crossentropy: functions.binaryCrossentropy,
    categorical_crossentropy: functions.categoricalCrossentropy,
    sparse_categorical_crossentropy: functions.sparseCategoricalCrossentropy,
    binary_focal_crossentropy: focal.binaryFocalCrossentropy,
    categorical_focal_crossentropy: focal.categoricalFocalCrossentropy,
    categorical_hinge: hinges.categoricalHinge,
    hinge: hinges.hinge,
    squared_hinge: hinges.squaredHinge,
    kl_divergence: divergence.klDivergence,
    poisson: divergence.poisson,
    log_cosh: divergence.logCosh,
    cosine_similarity: divergence.cosineSimilarity,
    huber,
    circle,
    ctc,
    dice: overlap.dice,
    tversky: overlap.tversky,
  },
  aliases: {
    mse,
    MSE: mse,
    mae,
    MAE: mae,
    mape,
    MAPE: mape,
    msle,
    MSLE: msle,
    bce: functions.binaryCrossentropy,
    BCE: functions.binaryCrossentropy,
    kld: divergence.klDivergence,
    KLD: divergence.klDivergence,
  },
  // Python Keras has it in no table of names either.
  onlySaved: {
    CategoricalGeneralizedCrossEntropy: generalized.CategoricalGeneralizedCrossEntropy,
    categorical_generalized_cross_entropy: generalized.categoricalGeneralizedCrossEntropy,
  },
  snakeNames: false,
  accepts: (value): value is LossFunction => typeof value === "function",
});
/** The loss that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = losses;
