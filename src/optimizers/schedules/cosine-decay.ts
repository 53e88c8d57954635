import { configure } from "../../config/configure.js";
import { float, number, optional, type Options, string } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { add, divide, minimum, multiply, subtract } from "../../ops/arithmetic.js";
import { cos } from "../../ops/elementwise.js";
import { less, where } from "../../ops/logic.js";
import { floatStep, LearningRateSchedule } from "./learning-rate-schedule.js";

const fields = {
  initialLearningRate: float(),
  /** Steps until the end is reached, after those of the warmup. */
  decaySteps: number({ above: 0 }),
  /** The rate at the end, as a share of that at the beginning. */
  alpha: float(0),
  name: string("CosineDecay"),
  /** Where the rate rises to before it falls; it does not rise when null. */
  warmupTarget: optional(float()),
  warmupSteps: number(0),
};
export interface CosineDecayOptions extends Omit<Options<typeof fields>, "initialLearningRate" | "decaySteps"> {}

/** Falls along half a cosine, after a linear warmup where one is asked for (Loshchilov & Hutter, 2016). */
export class CosineDecay extends configure(LearningRateSchedule, "CosineDecay", fields) {
  constructor(initialLearningRate: number, decaySteps: number, options: CosineDecayOptions = {}) {
    super({ initialLearningRate, decaySteps, ...options });
  }
  private falling(step: Tensor, from: number): Tensor {
    const cosine = multiply(add(cos(multiply(divide(step, this.decaySteps), Math.PI)), 1), 0.5);
    return multiply(add(multiply(cosine, 1 - this.alpha), this.alpha), from);
  }
  override call(step: Tensor): Tensor {
    const { decaySteps, warmupSteps, warmupTarget, initialLearningRate } = this;
    const at = floatStep(step);
    if (warmupTarget === null) return this.falling(minimum(at, decaySteps), initialLearningRate);
    const until = minimum(at, decaySteps + warmupSteps);
    const rising = add(multiply(divide(until, warmupSteps), warmupTarget - initialLearningRate), initialLearningRate);
    return where(less(until, warmupSteps), rising, this.falling(subtract(until, warmupSteps), warmupTarget));
  }
}

registerBuiltins("keras.optimizers.schedules", { CosineDecay });
