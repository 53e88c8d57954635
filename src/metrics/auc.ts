import { configure } from "../config/configure.js";
import type { Config } from "../config/field.js";
import { any, bool, derived, int, optional, type Options, string } from "../config/fields.js";
import { wrongValue } from "../config/make-field.js";
import { toTensor } from "../core/convert.js";
import { epsilon, floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, divide, divideNoNan, maximum, minimum, multiply, subtract } from "../ops/arithmetic.js";
import { sigmoid } from "../ops/activation.js";
import { log } from "../ops/elementwise.js";
import { equal, greater, logicalAnd, where } from "../ops/logic.js";
import { mean, sum } from "../ops/reductions.js";
import * as P from "../primitives/index.js";
import { confusionCounts } from "./confusion-counts.js";
import { CountingMetric } from "./counting.js";
import type { MetricOptions } from "./metric.js";
import { listOf, thresholds } from "./thresholds.js";

/** One of a few words, in any of the cases Keras takes. */
const word = <T extends string>(words: readonly T[], fallback: T) =>
  derived(string(fallback), (value, name): T => {
    const found = words.find((one) => one.toLowerCase() === value.toLowerCase());
    if (found === undefined) throw wrongValue(name, `one of ${words.map((one) => `"${one}"`).join(", ")}`, value);
    return found;
  });
const fields = {
  /** Number of thresholds that the curve is drawn from. */
  numThresholds: int(200, { above: 1 }),
  /** The curve: true against false positive rate, precision against recall, or their gains. */
  curve: word(["ROC", "PR", "PRGAIN"], "ROC"),
  /** How the area between two points is taken. */
  summationMethod: word(["interpolation", "majoring", "minoring"], "interpolation"),
  /** The thresholds themselves, in place of evenly spread ones. */
  thresholds: thresholds(),
  /** Whether the areas of all labels are averaged, instead of one area for all. */
  multiLabel: bool(false),
  numLabels: optional(int({ above: 0 })),
  /** Weights of the labels. */
  labelWeights: any<readonly number[] | null>(null),
  /** Whether predictions are logits instead of probabilities. */
  fromLogits: bool(false),
};
export interface AUCOptions extends MetricOptions, Options<typeof fields> {}

/** Area under the curve that a growing threshold draws, from counts at fixed thresholds. */
export class AUC extends configure(CountingMetric, "AUC", fields) {
  readonly #limits: readonly number[];

  constructor(options: AUCOptions = {}) {
    super(options);
    const n = this.numThresholds;
    const inner = this.thresholds
      ? [...listOf(this.thresholds, 0)].sort((a, b) => a - b)
      : Array.from({ length: n - 2 }, (_, i) => (i + 1) / (n - 1));
    // The ends lie outside [0, 1] to be safe from rounding.
    this.#limits = [-epsilon(), ...inner, 1 + epsilon()];
    if (!this.multiLabel && this.numLabels !== null)
      throw new TypeError("`AUC.numLabels` has a meaning only with `multiLabel: true`.");
    if (!this.multiLabel) this.makeCounts([this.#limits.length]);
    else if (this.numLabels !== null) this.makeCounts([this.#limits.length, this.numLabels]);
  }
  protected override compare(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null): void {
    const { multiLabel } = this;
    const given = toTensor(yPred, floatx());
    if (multiLabel && given.ndim !== 2)
      throw new RangeError(
        `The metric "${this.name}" with \`multiLabel\` expects predictions [samples, labels]. Received shape [${given.shape}].`,
      );
    if (!this.truePositives) this.makeCounts([this.#limits.length, given.shape[1]!]);
    const p = this.fromLogits ? sigmoid(given) : given;
    const labelWeights = multiLabel ? null : this.weights;
    this.addCounts(confusionCounts(yTrue, p, { thresholds: this.#limits, sampleWeight, multiLabel, labelWeights }));
  }
  private get weights(): Tensor | null {
    return this.labelWeights === null ? null : toTensor(this.labelWeights, floatx());
  }
  override result(): Tensor {
    if (!this.truePositives) return P.full([], 0, floatx());
    const pieces = this.curve === "PR" && this.summationMethod === "interpolation" ? this.precisionPieces : this.pieces;
    if (!this.multiLabel) return sum(pieces);
    const areas = sum(pieces, { axis: 0 });
    const weights = this.weights;
    return weights ? divideNoNan(sum(multiply(areas, weights)), sum(weights)) : mean(areas);
  }
  private get counts(): readonly [tp: Tensor, fp: Tensor, tn: Tensor, fn: Tensor] {
    const { truePositives, falsePositives, trueNegatives, falseNegatives } = this;
    return [truePositives!.value, falsePositives!.value, trueNegatives!.value, falseNegatives!.value];
  }
  /** Areas between neighbouring points of the curve. */
  private get pieces(): Tensor {
    const [x, y] = this.points;
    const [left, right] = [first(y), rest(y)];
    const height =
      this.summationMethod === "interpolation"
        ? divide(add(left, right), 2)
        : this.summationMethod === "minoring"
          ? minimum(left, right)
          : maximum(left, right);
    return multiply(subtract(first(x), rest(x)), height);
  }
  private get points(): readonly [x: Tensor, y: Tensor] {
    const [tp, fp, tn, fn] = this.counts;
    const recall = divideNoNan(tp, add(tp, fn));
    if (this.curve === "ROC") return [divideNoNan(fp, add(fp, tn)), recall];
    if (this.curve === "PR") return [recall, divideNoNan(tp, add(tp, fp))];
    const odds = divideNoNan(add(tp, fn), add(tn, fp));
    const gain = (misses: Tensor): Tensor => subtract(1, multiply(odds, divideNoNan(misses, tp)));
    const none = equal(tp, 0);
    return [maximum(where(none, 0, gain(fn)), 0), where(none, 1, gain(fp))];
  }
  /** Areas under precision against recall, between points that are joined as counts change, not by lines (Davis and Goadrich, 2006). */
  private get precisionPieces(): Tensor {
    const [tp, fp, , fn] = this.counts;
    const hits = subtract(first(tp), rest(tp));
    const predicted = add(tp, fp);
    const [before, after] = [first(predicted), rest(predicted)];
    const slope = divideNoNan(hits, maximum(subtract(before, after), 0));
    const intercept = subtract(rest(tp), multiply(slope, after));
    const ratio = where(logicalAnd(greater(before, 0), greater(after, 0)), divideNoNan(before, maximum(after, 0)), 1);
    const area = multiply(slope, add(hits, multiply(intercept, log(ratio))));
    return divideNoNan(area, maximum(add(rest(tp), rest(fn)), 0));
  }
  override getConfig(): Config {
    const { thresholds: given, ...config } = super.getConfig();
    const own = given === null ? {} : { thresholds: this.#limits.slice(1, -1) };
    return { ...config, num_thresholds: this.#limits.length, ...own };
  }
}
/** All rows but the last. */
const first = (x: Tensor): Tensor =>
  P.slice(
    x,
    x.shape.map(() => 0),
    [x.shape[0]! - 1, ...x.shape.slice(1)],
  );
/** All rows but the first. */
const rest = (x: Tensor): Tensor =>
  P.slice(
    x,
    x.shape.map((_, i) => (i === 0 ? 1 : 0)),
    x.shape,
  );
