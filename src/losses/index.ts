import { makeLookup } from "../config/lookup.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as classes from "./classes.js";
import * as functions from "./functions.js";
import type { Loss } from "./loss.js";

export { Loss, type LossOptions } from "./loss.js";
export * from "./classes.js";
export * from "./functions.js";

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
    mean_squared_error: mse,
    mean_absolute_error: mae,
    mean_absolute_percentage_error: mape,
    mean_squared_logarithmic_error: msle,
    binary_crossentropy: functions.binaryCrossentropy,
    categorical_crossentropy: functions.categoricalCrossentropy,
    sparse_categorical_crossentropy: functions.sparseCategoricalCrossentropy,
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
  },
  snakeNames: false,
  accepts: (value): value is LossFunction => typeof value === "function",
});
/** The loss that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = losses;
