import { configure } from "../config/configure.js";
import { nonNegativeInt, oneOf, optional, type Options } from "../config/fields.js";
import { toTensor } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { squeezeOrExpandToSameRank } from "../losses/reduce.js";
import { abs, add, divide, multiply, square, subtract } from "../ops/arithmetic.js";
import { equal, lessEqual, where } from "../ops/logic.js";
import { mean, sum } from "../ops/reductions.js";
import { broadcastTo, expandDims } from "../ops/shape.js";
import * as P from "../primitives/index.js";
import { ComparingMetric } from "./comparing-metric.js";
import { type MetricOptions, named } from "./metric.js";

const fields = {
  name: named("r2_score"),
  /** How the scores of several outputs become one: null keeps them apart. */
  classAggregation: optional(oneOf(["uniform_average", "variance_weighted_average"]), "uniform_average"),
  /** Number of independent variables, to correct for; 0 for none. */
  numRegressors: nonNegativeInt(0),
};
export interface R2ScoreOptions extends MetricOptions, Options<typeof fields> {}
interface Sums {
  readonly squares: Variable;
  readonly sum: Variable;
  readonly residual: Variable;
  readonly count: Variable;
}

/** Share of the targets' variance that predictions explain. */
export class R2Score extends configure(ComparingMetric, "R2Score", fields) {
  readonly #samples: Variable;
  #sums: Sums | null = null;

  constructor(options: R2ScoreOptions = {}) {
    super(options);
    this.#samples = this.addVariable({ name: "num_samples" });
  }
  override get direction(): "up" {
    return "up";
  }
  private makeSums(outputs: number): Sums {
    const zeros = (name: string): Variable => this.addVariable({ name, shape: [outputs] });
    return (this.#sums ??= {
      squares: zeros("squared_sum"),
      sum: zeros("sum"),
      residual: zeros("residual"),
      count: zeros("count"),
    });
  }
  protected override compare(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null): void {
    const [t, p] = squeezeOrExpandToSameRank(toTensor(yTrue, this.dtype), toTensor(yPred, this.dtype));
    if (t.ndim !== 2 || p.ndim !== 2)
      throw new RangeError(
        `The metric "${this.name}" expects targets and predictions [samples, outputs]. Received shapes [${t.shape}] and [${p.shape}].`,
      );
    const sums = this.makeSums(p.shape[1]!);
    const given = toTensor(sampleWeight ?? 1, this.dtype);
    const weight = broadcastTo(given.ndim === 1 ? expandDims(given, 1) : given, t.shape);
    const addUp = (variable: Variable, x: Tensor): void => {
      variable.assign(add(variable.value, sum(x, { axis: 0 })));
    };
    const weighted = multiply(t, weight);
    addUp(sums.sum, weighted);
    addUp(sums.squares, multiply(t, weighted));
    addUp(sums.residual, multiply(square(subtract(t, p)), weight));
    addUp(sums.count, weight);
    this.#samples.assign(add(this.#samples.value, P.full([], t.shape[0]!, this.dtype)));
  }
  override result(): Tensor {
    if (!this.#sums) return P.full([], 0, this.dtype);
    const { squares, sum: total, residual, count } = this.#sums;
    const variation = subtract(squares.value, multiply(total.value, divide(total.value, count.value)));
    const raw = subtract(1, divide(residual.value, variation));
    const scores = where(equal(abs(raw), Infinity), 0, raw);
    return this.adjusted(this.aggregate(scores, variation));
  }
  private aggregate(scores: Tensor, variation: Tensor): Tensor {
    if (this.classAggregation === null) return scores;
    if (this.classAggregation === "uniform_average") return mean(scores);
    return divide(sum(multiply(variation, scores)), sum(variation));
  }
  /** 1 - (1 - R²)(n - 1) / (n - k - 1), where there are enough samples for it. */
  private adjusted(score: Tensor): Tensor {
    if (this.numRegressors === 0) return score;
    const n = this.#samples.value;
    const free = subtract(subtract(n, this.numRegressors), 1);
    const few = lessEqual(free, 0);
    const corrected = subtract(1, divide(multiply(subtract(1, score), subtract(n, 1)), where(few, 1, free)));
    return where(few, score, corrected);
  }
}
