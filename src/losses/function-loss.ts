import { configure } from "../config/configure.js";
import type { Tensor } from "../core/tensor.js";
import { Loss } from "./loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

/** One loss a sample. */
export type SampleLosses = (yTrue: Tensor, yPred: Tensor) => Tensor;

/** Base of losses that apply one function without options. */
export abstract class FunctionLoss extends configure(Loss, "LossFunctionWrapper", {}) {
  protected abstract get fn(): SampleLosses;

  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return this.fn(...squeezeOrExpandToSameRank(yTrue, yPred));
  }
}
