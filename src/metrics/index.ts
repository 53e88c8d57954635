import { makeLookup } from "../config/lookup.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as accuracies from "./accuracy.js";
import * as constraints from "./at-constraint.js";
import { AUC } from "./auc.js";
import * as confusion from "./confusion.js";
import {
  ConcordanceCorrelation,
  concordanceCorrelation,
  PearsonCorrelation,
  pearsonCorrelation,
} from "./correlation.js";
import * as crossentropies from "./crossentropy.js";
import * as errors from "./errors.js";
import { F1Score, FBetaScore } from "./f-score.js";
import * as overlaps from "./iou.js";
import { Mean, Sum } from "./mean.js";
import { MeanMetricWrapper } from "./mean-metric-wrapper.js";
import type { Metric } from "./metric.js";
import { R2Score } from "./r2-score.js";

export { Metric, type MetricOptions, type MetricResult } from "./metric.js";
export { Mean, MeanOfFunction, Sum } from "./mean.js";
export * from "./accuracy.js";
export * from "./at-constraint.js";
export * from "./auc.js";
export * from "./confusion.js";
export * from "./correlation.js";
export * from "./crossentropy.js";
export * from "./errors.js";
export * from "./f-score.js";
export * from "./iou.js";
export * from "./mean-metric-wrapper.js";
export * from "./r2-score.js";

// Losses per sample are metrics too.
export * from "../losses/functions.js";
export { binaryFocalCrossentropy, categoricalFocalCrossentropy } from "../losses/focal.js";
export { categoricalHinge, hinge, squaredHinge } from "../losses/hinge.js";
export { huber } from "../losses/huber.js";
export { klDivergence, logCosh, poisson } from "../losses/divergence.js";

/** What `compile` takes as metric: a Metric, or a function of targets and predictions that is averaged. */
export type MetricLike = Metric | ((yTrue: TensorLike, yPred: TensorLike) => Tensor);
const {
  Accuracy,
  BinaryAccuracy,
  CategoricalAccuracy,
  SparseCategoricalAccuracy,
  TopKCategoricalAccuracy,
  SparseTopKCategoricalAccuracy,
} = accuracies;

/** Finds metrics by class name, snake-case name, alias, config, class or instance. */
export const metrics = makeLookup({
  kind: "metric",
  module: "keras.metrics",
  objects: {
    Mean,
    Sum,
    Accuracy,
    BinaryAccuracy,
    CategoricalAccuracy,
    SparseCategoricalAccuracy,
    TopKCategoricalAccuracy,
    SparseTopKCategoricalAccuracy,
    MeanMetricWrapper,
    MeanSquaredError: errors.MeanSquaredError,
    RootMeanSquaredError: errors.RootMeanSquaredError,
    MeanAbsoluteError: errors.MeanAbsoluteError,
    MeanAbsolutePercentageError: errors.MeanAbsolutePercentageError,
    MeanSquaredLogarithmicError: errors.MeanSquaredLogarithmicError,
    CosineSimilarity: errors.CosineSimilarity,
    LogCoshError: errors.LogCoshError,
    R2Score,
    AUC,
    FalseNegatives: confusion.FalseNegatives,
    FalsePositives: confusion.FalsePositives,
    TrueNegatives: confusion.TrueNegatives,
    TruePositives: confusion.TruePositives,
    Precision: confusion.Precision,
    Recall: confusion.Recall,
    PrecisionAtRecall: constraints.PrecisionAtRecall,
    RecallAtPrecision: constraints.RecallAtPrecision,
    SensitivityAtSpecificity: constraints.SensitivityAtSpecificity,
    SpecificityAtSensitivity: constraints.SpecificityAtSensitivity,
    F1Score,
    FBetaScore,
    Hinge: errors.Hinge,
    SquaredHinge: errors.SquaredHinge,
    CategoricalHinge: errors.CategoricalHinge,
    KLDivergence: errors.KLDivergence,
    Poisson: errors.Poisson,
    BinaryCrossentropy: crossentropies.BinaryCrossentropy,
    CategoricalCrossentropy: crossentropies.CategoricalCrossentropy,
    SparseCategoricalCrossentropy: crossentropies.SparseCategoricalCrossentropy,
    PearsonCorrelation,
    ConcordanceCorrelation,
    IoU: overlaps.IoU,
    BinaryIoU: overlaps.BinaryIoU,
    MeanIoU: overlaps.MeanIoU,
    OneHotIoU: overlaps.OneHotIoU,
    OneHotMeanIoU: overlaps.OneHotMeanIoU,
  },
  aliases: {
    bce: crossentropies.BinaryCrossentropy,
    BCE: crossentropies.BinaryCrossentropy,
    mse: errors.MeanSquaredError,
    MSE: errors.MeanSquaredError,
    mae: errors.MeanAbsoluteError,
    MAE: errors.MeanAbsoluteError,
    mape: errors.MeanAbsolutePercentageError,
    MAPE: errors.MeanAbsolutePercentageError,
    msle: errors.MeanSquaredLogarithmicError,
    MSLE: errors.MeanSquaredLogarithmicError,
  },
  onlySaved: {
    binary_accuracy: accuracies.binaryAccuracy,
    categorical_accuracy: accuracies.categoricalAccuracy,
    sparse_categorical_accuracy: accuracies.sparseCategoricalAccuracy,
    top_k_categorical_accuracy: accuracies.topKCategoricalAccuracy,
    sparse_top_k_categorical_accuracy: accuracies.sparseTopKCategoricalAccuracy,
    pearson_correlation: pearsonCorrelation,
    concordance_correlation: concordanceCorrelation,
  },
  accepts: (value): value is MetricLike => typeof value === "function",
});
/** The metric that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = metrics;
