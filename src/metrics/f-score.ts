import { configure } from "../config/configure.js";
import { float, oneOf, optional, type Options } from "../config/fields.js";
import { toTensor } from "../core/convert.js";
import { epsilon } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { abs, add, divide, multiply, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { greater, greaterEqual, logicalAnd } from "../ops/logic.js";
import { max, mean, sum } from "../ops/reductions.js";
import { expandDims } from "../ops/shape.js";
import * as P from "../primitives/index.js";
import { ComparingMetric } from "./comparing-metric.js";
import { type MetricOptions, named } from "./metric.js";

const baseFields = {
  /** How the scores of the classes become one: null keeps them apart. */
  average: optional(oneOf(["micro", "macro", "weighted"])),
  /** Above it a prediction is positive; the largest of a sample is, when null. */
  threshold: optional(float({ above: 0, max: 1 })),
};
interface State {
  readonly truePositives: Variable;
  readonly falsePositives: Variable;
  readonly falseNegatives: Variable;
  readonly weights: Variable;
}

/** Base of scores that weigh precision against recall. */
abstract class FScore extends configure(ComparingMetric, "FScore", baseFields) {
  #state: State | null = null;
  /** How much more recall counts than precision. */
  protected get recallWeight(): number {
    return 1;
  }
  override get direction(): "up" {
    return "up";
  }
  private makeState(classes: number): State {
    const shape = this.average === "micro" ? [] : [classes];
    const zeros = (name: string): Variable => this.addVariable({ name, shape, dtype: this.dtype });
    return (this.#state ??= {
      truePositives: zeros("true_positives"),
      falsePositives: zeros("false_positives"),
      falseNegatives: zeros("false_negatives"),
      weights: zeros("intermediate_weights"),
    });
  }
  protected override compare(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null): void {
    const [t, given] = [toTensor(yTrue, this.dtype), toTensor(yPred, this.dtype)];
    if (t.ndim !== 2 || given.ndim !== 2)
      throw new RangeError(
        `The metric "${this.name}" expects targets and predictions [samples, classes]. Received shapes [${t.shape}] and [${given.shape}].`,
      );
    const state = this.makeState(given.shape[1]!);
    const positive =
      this.threshold === null
        ? logicalAnd(greaterEqual(given, max(given, { axis: -1, keepdims: true })), greater(abs(given), 1e-9))
        : greater(given, this.threshold);
    const p = cast(positive, this.dtype);
    const perSample = sampleWeight === null ? null : toTensor(sampleWeight, this.dtype);
    const weight = perSample?.ndim === 1 ? expandDims(perSample, 1) : perSample;
    const axis = this.average === "micro" ? null : 0;
    const count = (variable: Variable, x: Tensor): void => {
      variable.assign(add(variable.value, sum(weight ? multiply(x, weight) : x, { axis })));
    };
    count(state.truePositives, multiply(p, t));
    count(state.falsePositives, multiply(p, subtract(1, t)));
    count(state.falseNegatives, multiply(subtract(1, p), t));
    count(state.weights, t);
  }
  override result(): Tensor {
    const state = this.#state;
    if (!state) return P.full([], 0, this.dtype);
    const hits = state.truePositives.value;
    const share = (misses: Variable): Tensor => divide(hits, add(add(hits, misses.value), epsilon()));
    const [precision, recall] = [share(state.falsePositives), share(state.falseNegatives)];
    const square = this.recallWeight ** 2;
    const sums = add(add(multiply(square, precision), recall), epsilon());
    const scores = multiply(divide(multiply(precision, recall), sums), 1 + square);
    if (this.average === null) return scores;
    if (this.average !== "weighted") return mean(scores);
    const weights = state.weights.value;
    return sum(multiply(scores, divide(weights, add(sum(weights), epsilon()))));
  }
}

const fbetaFields = {
  name: named("fbeta_score"),
  ...baseFields,
  /** How much more recall counts than precision. */
  beta: float(1, { above: 0 }),
};
export interface FBetaScoreOptions extends MetricOptions, Options<typeof fbetaFields> {}
/** Weighted harmonic mean of precision and recall: (1 + β²) p r / (β² p + r). */
export class FBetaScore extends configure(FScore, "FBetaScore", fbetaFields) {
  constructor(options: FBetaScoreOptions = {}) {
    super(options);
  }
  protected override get recallWeight(): number {
    return this.beta;
  }
}
export interface F1ScoreOptions extends MetricOptions, Options<typeof baseFields> {}
/** Harmonic mean of precision and recall. */
export class F1Score extends configure(FScore, "F1Score", { name: named("f1_score") }) {
  constructor(options: F1ScoreOptions = {}) {
    super(options);
  }
}
