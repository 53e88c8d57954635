import { configure } from "../config/configure.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { Metric } from "./metric.js";

/** That a metric which compares targets with predictions was given only one of them. */
export const onlyOneGiven = ({ name }: Metric): TypeError =>
  new TypeError(`The metric "${name}" needs targets and predictions. Received only one of them.`);

/** A metric that compares, as classes made by functions give it. */
export interface Comparison extends Metric {
  updateState(yTrue: TensorLike, yPred?: TensorLike | null, sampleWeight?: TensorLike | null): void;
  result(): Tensor;
}

/** Base of metrics that compare targets with predictions. */
export abstract class ComparingMetric extends configure(Metric, "ComparingMetric", {}) {
  /** Takes a batch into account. */
  protected abstract compare(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null): void;

  override updateState(
    yTrue: TensorLike,
    yPred: TensorLike | null = null,
    sampleWeight: TensorLike | null = null,
  ): void {
    if (yPred === null) throw onlyOneGiven(this);
    this.compare(yTrue, yPred, sampleWeight);
  }
}
