import { configure } from "../config/configure.js";
import type { Tensor } from "../core/tensor.js";
import { squeezeOrExpandToSameRank } from "../losses/reduce.js";
import { MeanOfFunction, type MetricFunction } from "./mean.js";

/** Base of metrics that average one loss without options. */
export abstract class FunctionMean extends configure(MeanOfFunction, "FunctionMean", {}) {
  protected abstract get fn(): MetricFunction;

  override get direction(): "down" {
    return "down";
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    return this.fn(...squeezeOrExpandToSameRank(yTrue, yPred));
  }
}
