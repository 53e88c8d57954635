import { configure, type Configured } from "../config/configure.js";
import { int, optional, type Options, positiveInt, type Values } from "../config/fields.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divideNoNan } from "../ops/arithmetic.js";
import { camelToSnake } from "../utils/naming.js";
import { ComparingMetric, type Comparison } from "./comparing-metric.js";
import { type ConfusionCounts, confusionCounts, lowestPrediction } from "./confusion-counts.js";
import type { MetricOptions } from "./metric.js";
import { listOf, perThreshold, thresholds } from "./thresholds.js";

const countFields = { thresholds: thresholds() };
export interface ConfusionCountOptions extends MetricOptions, Options<typeof countFields> {}

/** A class of metrics that are one of the counts. */
type ConfusionCountClass = Omit<Configured<typeof ComparingMetric, typeof countFields>, "prototype"> &
  (new (options?: ConfusionCountOptions) => Comparison & Values<typeof countFields>);

/** What the class of a metric extends that adds up one of the counts. */
/* @__NO_SIDE_EFFECTS__ */
function confusionCount(className: string, which: keyof ConfusionCounts): ConfusionCountClass {
  abstract class Base extends configure(ComparingMetric, "ConfusionCount", countFields) {
    readonly #limits = listOf(this.thresholds, 0.5);
    readonly #count: Variable = this.addVariable({ name: "accumulator", shape: [this.#limits.length] });
    constructor(options: ConfusionCountOptions = {}) {
      super(options);
    }
    protected override compare(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null): void {
      const options = { thresholds: this.#limits, sampleWeight };
      this.#count.assign(add(this.#count.value, confusionCounts(yTrue, yPred, options)[which]));
    }
    override result(): Tensor {
      return perThreshold(this.#count.value);
    }
  }
  return configure(Base, className, {}) as unknown as ConfusionCountClass;
}
/** Number of targets 1 predicted above the thresholds. */
export class TruePositives extends confusionCount("TruePositives", "truePositives") {}
/** Number of targets 0 predicted above the thresholds. */
export class FalsePositives extends confusionCount("FalsePositives", "falsePositives") {}
/** Number of targets 0 predicted at or below the thresholds. */
export class TrueNegatives extends confusionCount("TrueNegatives", "trueNegatives") {}
/** Number of targets 1 predicted at or below the thresholds. */
export class FalseNegatives extends confusionCount("FalseNegatives", "falseNegatives") {}

const ratioFields = {
  thresholds: thresholds(),
  /** Counts only the largest predictions of each sample. */
  topK: optional(positiveInt()),
  /** Counts only one class. */
  classId: optional(int()),
};
export interface PrecisionOptions extends MetricOptions, Options<typeof ratioFields> {}

/** A class of metrics that are a share of the true positives. */
type HitShareClass = Omit<Configured<typeof ComparingMetric, typeof ratioFields>, "prototype"> &
  (new (options?: PrecisionOptions) => Comparison & Values<typeof ratioFields>);

/** What the class of a metric extends that is the share of true positives among those and some misses. */
/* @__NO_SIDE_EFFECTS__ */
function hitShare(className: string, missed: "falsePositives" | "falseNegatives"): HitShareClass {
  abstract class Base extends configure(ComparingMetric, "HitShare", ratioFields) {
    readonly #limits = listOf(this.thresholds, this.topK === null ? 0.5 : lowestPrediction);
    readonly #hits: Variable = this.addVariable({ name: "true_positives", shape: [this.#limits.length] });
    readonly #misses: Variable = this.addVariable({ name: camelToSnake(missed), shape: [this.#limits.length] });
    constructor(options: PrecisionOptions = {}) {
      super(options);
    }
    override get direction(): "up" {
      return "up";
    }
    protected override compare(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null): void {
      const { topK, classId } = this;
      const counts = confusionCounts(yTrue, yPred, { thresholds: this.#limits, sampleWeight, topK, classId });
      this.#hits.assign(add(this.#hits.value, counts.truePositives));
      this.#misses.assign(add(this.#misses.value, counts[missed]));
    }
    override result(): Tensor {
      return perThreshold(divideNoNan(this.#hits.value, add(this.#hits.value, this.#misses.value)));
    }
  }
  return configure(Base, className, {}) as unknown as HitShareClass;
}
/** Share of targets 1 among positive predictions. */
export class Precision extends hitShare("Precision", "falsePositives") {}
/** Share of positive predictions among targets 1. */
export class Recall extends hitShare("Recall", "falseNegatives") {}
