import { isPlainFunction } from "../../config/callable.js";
import { configure } from "../../config/configure.js";
import type { PartialEnvelope } from "../../config/envelope.js";
import { pathOfBuiltin, type Registrable } from "../../config/registry.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { Loss, losses, sparseCategoricalCrossentropy, SparseCategoricalCrossentropy } from "../../losses/index.js";
import { squeezeOrExpandToSameRank } from "../../losses/reduce.js";
import {
  BinaryAccuracy,
  CategoricalAccuracy,
  MeanOfFunction,
  Metric,
  metrics,
  SparseCategoricalAccuracy,
} from "../../metrics/index.js";

type LossFunction = (yTrue: TensorLike, yPred: TensorLike) => Tensor;
/** What names a loss: a string, a function of targets and predictions, a Loss, a saved config or a class. */
export type LossIdentifier =
  string | Loss | ((yTrue: never, yPred: never) => Tensor) | PartialEnvelope | (new () => Loss);
/** What names a metric: a string, a function of targets and predictions, a Metric, a saved config or a class. */
export type MetricIdentifier =
  string | Metric | ((yTrue: never, yPred: never) => Tensor) | PartialEnvelope | (new () => Metric);

/** What kind of targets these are, by the shapes of targets and predictions. */
function targetsKind(yTrue: Tensor, yPred: Tensor): "binary" | "sparse" | "categorical" {
  const classes = yPred.shape.at(-1)!;
  if (classes === 1) return "binary";
  const sparse = yTrue.ndim < yPred.ndim || (yTrue.shape.at(-1) === 1 && classes > 1);
  return sparse ? "sparse" : "categorical";
}

/** Mean (or another reduction) of a function of targets and predictions. */
export class FunctionLoss extends configure(Loss, "LossFunctionWrapper", {}) {
  #fn: LossFunction;
  constructor(fn: LossFunction, name: string) {
    super({ name });
    this.#fn = fn;
  }
  get fn(): LossFunction {
    return this.#fn;
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    // Functions may take structures of several outputs.
    if (Array.isArray(yTrue) || Array.isArray(yPred)) return this.#fn(yTrue, yPred);
    return this.#fn(...squeezeOrExpandToSameRank(yTrue, yPred));
  }
}
/** Mean of a function of targets and predictions. */
class FunctionMetric extends configure(MeanOfFunction, "MeanMetricWrapper", {}) {
  #fn: LossFunction;
  constructor(fn: LossFunction, name: string) {
    super({ name });
    this.#fn = fn;
  }
  override get direction(): "down" | null {
    return isPlainFunction(this.#fn) && pathOfBuiltin(this.#fn)?.startsWith("keras.losses.") ? "down" : null;
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    return this.#fn(...squeezeOrExpandToSameRank(yTrue, yPred));
  }
}

const crossentropies = {
  binary: "binary_crossentropy",
  sparse: "sparse_categorical_crossentropy",
  categorical: "categorical_crossentropy",
} as const;
/** The loss that `identifier` stands for; "crossentropy" is the one that fits the shapes. */
export function resolveLoss(identifier: LossIdentifier, yTrue: Tensor, yPred: Tensor): Loss {
  const text = typeof identifier === "string" ? identifier.toLowerCase() : "";
  const any = text === "crossentropy" || text === "ce" ? crossentropies[targetsKind(yTrue, yPred)] : identifier;
  const found = losses.get(any as Loss, "compile.loss");
  if (found instanceof Loss) return found;
  return new FunctionLoss(found, typeof identifier === "string" ? identifier : nameOfFunction(found));
}

const accuracies = () => ({
  binary: BinaryAccuracy,
  sparse: SparseCategoricalAccuracy,
  categorical: CategoricalAccuracy,
});
/** The metric that `identifier` stands for, named as it is named; "accuracy" is the one that fits the shapes. */
export function resolveMetric(identifier: MetricIdentifier, yTrue: Tensor, yPred: Tensor): Metric {
  const text = typeof identifier === "string" ? identifier.toLowerCase() : "";
  const isAccuracy = text === "accuracy" || text === "acc";
  const found = isAccuracy
    ? new (accuracies()[targetsKind(yTrue, yPred)])()
    : metrics.get(identifier as Metric, "compile.metrics");
  const metric = found instanceof Metric ? found : new FunctionMetric(found, nameOfFunction(found));
  if (typeof identifier === "string") Object.assign(metric, { name: identifier });
  return metric;
}

/** The name Python knows a function by: its saved name, else its own. */
function nameOfFunction(fn: object): string {
  const name =
    pathOfBuiltin(fn as Registrable)
      ?.split(".")
      .at(-1) ?? (fn as { name?: string }).name;
  return name || "lambda";
}

/** Whether targets of the loss are class numbers, each of which must be an index of the predictions' last axis. */
export function takesLabels(loss: Loss): boolean {
  if (loss instanceof FunctionLoss) return loss.fn === sparseCategoricalCrossentropy;
  return loss instanceof SparseCategoricalCrossentropy && loss.ignoreClass === null && loss.axis === -1;
}
