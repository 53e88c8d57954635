import { configure } from "../../config/configure.js";
import { bool, float, number, type Options, string } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { add, divide, multiply } from "../../ops/arithmetic.js";
import { floor } from "../../ops/elementwise.js";
import { floatStep, LearningRateSchedule } from "./learning-rate-schedule.js";

const fields = {
  initialLearningRate: float(),
  /** Steps in which `decayRate` is added to the divisor once. */
  decaySteps: number({ above: 0 }),
  decayRate: float(),
  /** Whether the rate stays the same for `decaySteps` steps each. */
  staircase: bool(false),
  name: string("InverseTimeDecay"),
};
export interface InverseTimeDecayOptions extends Omit<
  Options<typeof fields>,
  "initialLearningRate" | "decaySteps" | "decayRate"
> {}

/** initial / (1 + decayRate · step / decaySteps). */
export class InverseTimeDecay extends configure(LearningRateSchedule, "InverseTimeDecay", fields) {
  constructor(
    initialLearningRate: number,
    decaySteps: number,
    decayRate: number,
    options: InverseTimeDecayOptions = {},
  ) {
    super({ initialLearningRate, decaySteps, decayRate, ...options });
  }
  override call(step: Tensor): Tensor {
    const periods = divide(floatStep(step), this.decaySteps);
    const divisor = add(multiply(this.staircase ? floor(periods) : periods, this.decayRate), 1);
    return divide(this.initialLearningRate, divisor);
  }
}

registerBuiltins("keras.optimizers.schedules", { InverseTimeDecay });
