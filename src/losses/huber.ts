import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { abs, multiply, square, subtract } from "../ops/arithmetic.js";
import { lessEqual, where } from "../ops/logic.js";
import { mean } from "../ops/reductions.js";
import { aligned } from "./aligned.js";
import { Loss, type LossOptions, named } from "./loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

/** Mean of error² / 2 up to `delta`, and beyond it a straight line (Huber, 1964). */
export function huber(
  yTrue: TensorLike,
  yPred: TensorLike,
  { delta = 1 }: { delta?: number | undefined } = {},
): Tensor {
  const [t, p] = aligned(yTrue, yPred);
  const error = subtract(p, t);
  const size = abs(error);
  const straight = subtract(multiply(delta, size), 0.5 * delta * delta);
  return mean(where(lessEqual(size, delta), multiply(0.5, square(error)), straight), { axis: -1 });
}

const fields = {
  name: named("huber_loss"),
  /** Where the square becomes a straight line. */
  delta: float(1),
};
export interface HuberOptions extends LossOptions, Options<typeof fields> {}
/** Quadratic for small errors, linear for large ones. */
export class Huber extends configure(Loss, "Huber", fields) {
  constructor(options: HuberOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return huber(...squeezeOrExpandToSameRank(yTrue, yPred), { delta: this.delta });
  }
}
