import { configure } from "../../config/configure.js";
import { bool, float, number, type Options, string } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { divide, multiply, power } from "../../ops/arithmetic.js";
import { floor } from "../../ops/elementwise.js";
import { floatStep, LearningRateSchedule } from "./learning-rate-schedule.js";

const fields = {
  initialLearningRate: float(),
  /** Steps in which the rate is multiplied by `decayRate` once. */
  decaySteps: number({ above: 0 }),
  decayRate: float(),
  /** Whether the rate stays the same for `decaySteps` steps each. */
  staircase: bool(false),
  name: string("ExponentialDecay"),
};
export interface ExponentialDecayOptions extends Omit<
  Options<typeof fields>,
  "initialLearningRate" | "decaySteps" | "decayRate"
> {}

/** initial · decayRate ^ (step / decaySteps). */
export class ExponentialDecay extends configure(LearningRateSchedule, "ExponentialDecay", fields) {
  constructor(
    initialLearningRate: number,
    decaySteps: number,
    decayRate: number,
    options: ExponentialDecayOptions = {},
  ) {
    super({ initialLearningRate, decaySteps, decayRate, ...options });
  }
  override call(step: Tensor): Tensor {
    const periods = divide(floatStep(step), this.decaySteps);
    return multiply(power(this.decayRate, this.staircase ? floor(periods) : periods), this.initialLearningRate);
  }
}

registerBuiltins("keras.optimizers.schedules", { ExponentialDecay });
