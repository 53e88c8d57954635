import { configure } from "../config/configure.js";
import { int, optional, type Options, positiveInt } from "../config/fields.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divideNoNan } from "../ops/arithmetic.js";
import { camelToSnake } from "../utils/naming.js";
import { type ConfusionCounts, confusionCounts, lowestPrediction } from "./confusion-counts.js";
import { Metric, type MetricOptions } from "./metric.js";
import { listOf, perThreshold, thresholds } from "./thresholds.js";

const countFields = { thresholds: thresholds() };
export interface ConfusionCountOptions extends MetricOptions, Options<typeof countFields> {}

/** Base of metrics that add up one of the counts. */
abstract class ConfusionCount extends configure(Metric, "ConfusionCount", countFields) {
  readonly #limits = listOf(this.thresholds, 0.5);
  readonly #count: Variable = this.addVariable({ name: "accumulator", shape: [this.#limits.length] });
  protected abstract get which(): keyof ConfusionCounts;

  override updateState(
    yTrue: TensorLike,
    yPred: TensorLike | null = null,
    sampleWeight: TensorLike | null = null,
  ): void {
    if (yPred === null) throw new TypeError(`The metric "${this.name}" needs targets and predictions.`);
    const options = { thresholds: this.#limits, dtype: this.dtype, sampleWeight };
    this.#count.assign(add(this.#count.value, confusionCounts(yTrue, yPred, options)[this.which]));
  }
  override result(): Tensor {
    return perThreshold(this.#count.value);
  }
}
/** Number of targets 1 predicted above the thresholds. */
export class TruePositives extends configure(ConfusionCount, "TruePositives", {}) {
  constructor(options: ConfusionCountOptions = {}) {
    super(options);
  }
  protected override get which(): "truePositives" {
    return "truePositives";
  }
}
/** Number of targets 0 predicted above the thresholds. */
export class FalsePositives extends configure(ConfusionCount, "FalsePositives", {}) {
  constructor(options: ConfusionCountOptions = {}) {
    super(options);
  }
  protected override get which(): "falsePositives" {
    return "falsePositives";
  }
}
/** Number of targets 0 predicted at or below the thresholds. */
export class TrueNegatives extends configure(ConfusionCount, "TrueNegatives", {}) {
  constructor(options: ConfusionCountOptions = {}) {
    super(options);
  }
  protected override get which(): "trueNegatives" {
    return "trueNegatives";
  }
}
/** Number of targets 1 predicted at or below the thresholds. */
export class FalseNegatives extends configure(ConfusionCount, "FalseNegatives", {}) {
  constructor(options: ConfusionCountOptions = {}) {
    super(options);
  }
  protected override get which(): "falseNegatives" {
    return "falseNegatives";
  }
}

const ratioFields = {
  thresholds: thresholds(),
  /** Counts only the largest predictions of each sample. */
  topK: optional(positiveInt()),
  /** Counts only one class. */
  classId: optional(int()),
};
export interface PrecisionOptions extends MetricOptions, Options<typeof ratioFields> {}

/** Base of metrics that are the share of true positives among those and some misses. */
abstract class HitShare extends configure(Metric, "HitShare", ratioFields) {
  readonly #limits = listOf(this.thresholds, this.topK === null ? 0.5 : lowestPrediction);
  readonly #hits: Variable = this.addVariable({ name: "true_positives", shape: [this.#limits.length] });
  readonly #misses: Variable = this.addVariable({ name: camelToSnake(this.misses), shape: [this.#limits.length] });
  protected get misses(): keyof ConfusionCounts {
    return "falsePositives";
  }

  override get direction(): "up" {
    return "up";
  }
  override updateState(
    yTrue: TensorLike,
    yPred: TensorLike | null = null,
    sampleWeight: TensorLike | null = null,
  ): void {
    if (yPred === null) throw new TypeError(`The metric "${this.name}" needs targets and predictions.`);
    const { dtype, topK, classId } = this;
    const counts = confusionCounts(yTrue, yPred, { thresholds: this.#limits, dtype, sampleWeight, topK, classId });
    this.#hits.assign(add(this.#hits.value, counts.truePositives));
    this.#misses.assign(add(this.#misses.value, counts[this.misses]));
  }
  override result(): Tensor {
    return perThreshold(divideNoNan(this.#hits.value, add(this.#hits.value, this.#misses.value)));
  }
}
/** Share of targets 1 among positive predictions. */
export class Precision extends configure(HitShare, "Precision", {}) {
  constructor(options: PrecisionOptions = {}) {
    super(options);
  }
  protected override get misses(): "falsePositives" {
    return "falsePositives";
  }
}
/** Share of positive predictions among targets 1. */
export class Recall extends configure(HitShare, "Recall", {}) {
  constructor(options: PrecisionOptions = {}) {
    super(options);
  }
  protected override get misses(): "falseNegatives" {
    return "falseNegatives";
  }
}
