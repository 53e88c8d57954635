import { makeLookup } from "../config/lookup.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as accuracies from "./accuracy.js";
import { Mean, Sum } from "./mean.js";
import type { Metric } from "./metric.js";

export { Metric, type MetricOptions, type MetricResult } from "./metric.js";
export { Mean, MeanOfFunction, Sum } from "./mean.js";
export * from "./accuracy.js";

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
  },
  accepts: (value): value is MetricLike => typeof value === "function",
});
/** The metric that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = metrics;
