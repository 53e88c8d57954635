import { configure } from "../config/configure.js";
import { float, int, optional, type Options, positiveInt } from "../config/fields.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, divideNoNan } from "../ops/arithmetic.js";
import { greaterEqual, where } from "../ops/logic.js";
import { max } from "../ops/reductions.js";
import { confusionCounts } from "./confusion-counts.js";
import { CountingMetric } from "./counting.js";
import type { MetricOptions } from "./metric.js";

const fields = {
  /** Number of thresholds, spread evenly from 0 to 1. */
  numThresholds: positiveInt(200),
  /** Counts only one class. */
  classId: optional(int()),
};
export interface AtConstraintOptions extends MetricOptions, Options<typeof fields> {}
/** A bound in [0, 1]. */
const bound = () => float({ min: 0, max: 1 });

/** Base of metrics that give the best of one quantity at thresholds where another reaches a bound. */
abstract class AtConstraint extends configure(CountingMetric, "AtConstraint", fields) {
  readonly #limits: readonly number[];

  constructor(options: AtConstraintOptions) {
    super(options);
    const n = this.numThresholds;
    this.#limits = n === 1 ? [0.5] : Array.from({ length: n }, (_, i) => i / (n - 1));
    this.makeCounts([n]);
  }
  protected override compare(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null): void {
    const { classId } = this;
    this.addCounts(confusionCounts(yTrue, yPred, { thresholds: this.#limits, classId, sampleWeight }));
  }
  /** Share of positive predictions among targets 1. */
  protected get recalls(): Tensor {
    return share(this.truePositives!.value, this.falseNegatives!.value);
  }
  /** Share of targets 1 among positive predictions. */
  protected get precisions(): Tensor {
    return share(this.truePositives!.value, this.falsePositives!.value);
  }
  /** Share of negative predictions among targets 0. */
  protected get specificities(): Tensor {
    return share(this.trueNegatives!.value, this.falsePositives!.value);
  }
}
const share = (part: Tensor, rest: Tensor): Tensor => divideNoNan(part, add(part, rest));
/** Largest of `wanted` where `constrained` reaches `least`; 0 where it never does. */
const best = (wanted: Tensor, constrained: Tensor, least: number): Tensor =>
  max(where(greaterEqual(constrained, least), wanted, 0), { initial: 0 });

/** Best sensitivity at thresholds with at least the given specificity. */
export class SensitivityAtSpecificity extends configure(AtConstraint, "SensitivityAtSpecificity", {
  specificity: bound(),
}) {
  constructor(specificity: number, options: AtConstraintOptions = {}) {
    super({ specificity, ...options });
  }
  override result(): Tensor {
    return best(this.recalls, this.specificities, this.specificity);
  }
}
/** Best specificity at thresholds with at least the given sensitivity. */
export class SpecificityAtSensitivity extends configure(AtConstraint, "SpecificityAtSensitivity", {
  sensitivity: bound(),
}) {
  constructor(sensitivity: number, options: AtConstraintOptions = {}) {
    super({ sensitivity, ...options });
  }
  override result(): Tensor {
    return best(this.specificities, this.recalls, this.sensitivity);
  }
}
/** Best precision at thresholds with at least the given recall. */
export class PrecisionAtRecall extends configure(AtConstraint, "PrecisionAtRecall", { recall: bound() }) {
  constructor(recall: number, options: AtConstraintOptions = {}) {
    super({ recall, ...options });
  }
  override result(): Tensor {
    return best(this.precisions, this.recalls, this.recall);
  }
}
/** Best recall at thresholds with at least the given precision. */
export class RecallAtPrecision extends configure(AtConstraint, "RecallAtPrecision", { precision: bound() }) {
  constructor(precision: number, options: AtConstraintOptions = {}) {
    super({ precision, ...options });
  }
  override result(): Tensor {
    return best(this.recalls, this.precisions, this.precision);
  }
}
