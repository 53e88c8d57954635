import { configure } from "../config/configure.js";
import { toTensor } from "../core/convert.js";
import type { DType } from "../core/dtype.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { applyMask, squeezeOrExpandToSameRank } from "../losses/reduce.js";
import { add, divideNoNan, multiply } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { mean, sum } from "../ops/reductions.js";
import { broadcastTo } from "../ops/shape.js";
import * as P from "../primitives/index.js";
import { onlyOneGiven } from "./comparing-metric.js";
import { Metric, type MetricOptions, named } from "./metric.js";

type Reduce = (x: Tensor, options: { axis: readonly number[] }) => Tensor;

/** One value (and one weight) a sample: reduces axes beyond those of the weights. */
function samplewise(
  values: TensorLike,
  sampleWeight: TensorLike | null,
  reduce: Reduce,
  dtype: DType,
): readonly [Tensor, Tensor | null] {
  const raw = toTensor(values);
  const mask = raw.kerasMask;
  let x = cast(raw, dtype);
  if (sampleWeight === null) return [x.ndim > 1 ? reduce(x, { axis: range(1, x.ndim) }) : x, null];
  let weights = applyMask(toTensor(sampleWeight, dtype), mask, dtype, "sum")!;
  [x, weights] = squeezeOrExpandToSameRank(x, weights);
  if (x.ndim > weights.ndim) x = reduce(x, { axis: range(weights.ndim, x.ndim) });
  weights = broadcastTo(weights, x.shape);
  const weighted = multiply(x, weights);
  if (weighted.ndim <= 1) return [weighted, weights];
  const axis = range(1, weighted.ndim);
  return [reduce(weighted, { axis }), reduce(weights, { axis })];
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** Weighted sum of the values seen. */
export class Sum extends configure(Metric, "Sum", { name: named("sum") }) {
  protected readonly total: Variable = this.addVariable({ name: "total", dtype: this.dtype });
  constructor(options: MetricOptions = {}) {
    super(options);
  }
  override updateState(values: TensorLike, sampleWeight: TensorLike | null = null): void {
    const [sums] = samplewise(values, sampleWeight, sum, this.dtype);
    this.total.assign(add(this.total.value, sum(sums)));
  }
  override result(): Tensor {
    return this.total.value;
  }
}

/** Weighted mean of the values seen. */
export class Mean extends configure(Metric, "Mean", { name: named("mean") }) {
  protected readonly total: Variable = this.addVariable({ name: "total", dtype: this.dtype });
  protected readonly count: Variable = this.addVariable({ name: "count", dtype: this.dtype });
  constructor(options: MetricOptions = {}) {
    super(options);
  }
  override updateState(values: TensorLike, sampleWeight: TensorLike | null = null): void {
    const [averages, weights] = samplewise(values, sampleWeight, mean, this.dtype);
    this.total.assign(add(this.total.value, sum(averages)));
    const samples = averages.ndim >= 1 ? averages.shape[0]! : 1;
    this.count.assign(add(this.count.value, weights ? sum(weights) : P.full([], samples, this.dtype)));
  }
  override result(): Tensor {
    return divideNoNan(this.total.value, this.count.value);
  }
}

/** A function of targets and predictions that gives one value a sample or element. */
export type MetricFunction = (yTrue: Tensor, yPred: Tensor) => Tensor;

/** Mean of a function of targets and predictions. */
export abstract class MeanOfFunction extends configure(Mean, "MeanMetricWrapper", {}) {
  /** One value a sample or element. */
  abstract values(yTrue: Tensor, yPred: Tensor): Tensor;

  override updateState(
    yTrue: TensorLike,
    yPred: TensorLike | null = null,
    sampleWeight: TensorLike | null = null,
  ): void {
    if (yPred === null) throw onlyOneGiven(this);
    const predictions = toTensor(yPred, this.dtype);
    const mask = toTensor(yPred).kerasMask;
    const values = this.values(toTensor(yTrue, this.dtype), predictions);
    super.updateState(
      values,
      applyMask(sampleWeight === null ? null : toTensor(sampleWeight, this.dtype), mask, this.dtype, "sum"),
    );
  }
}
