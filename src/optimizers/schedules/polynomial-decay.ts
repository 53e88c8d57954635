import { configure } from "../../config/configure.js";
import { bool, float, number, type Options, string } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { add, divide, maximum, minimum, multiply, power, subtract } from "../../ops/arithmetic.js";
import { ceil } from "../../ops/elementwise.js";
import { floatStep, LearningRateSchedule } from "./learning-rate-schedule.js";

const fields = {
  initialLearningRate: float(),
  /** Steps until the end is reached. */
  decaySteps: number({ above: 0 }),
  endLearningRate: float(0.0001),
  power: float(1),
  /** Whether the decay begins anew, more slowly each time, instead of staying at its end. */
  cycle: bool(false),
  name: string("PolynomialDecay"),
};
export interface PolynomialDecayOptions extends Omit<Options<typeof fields>, "initialLearningRate" | "decaySteps"> {}

/** end + (initial - end) · (1 - step / decaySteps) ^ power. */
export class PolynomialDecay extends configure(LearningRateSchedule, "PolynomialDecay", fields) {
  constructor(initialLearningRate: number, decaySteps: number, options: PolynomialDecayOptions = {}) {
    super({ initialLearningRate, decaySteps, ...options });
  }
  override call(step: Tensor): Tensor {
    const { decaySteps, initialLearningRate, endLearningRate } = this;
    const at = floatStep(step);
    const done = this.cycle
      ? divide(at, multiply(maximum(ceil(divide(at, decaySteps)), 1), decaySteps))
      : divide(minimum(at, decaySteps), decaySteps);
    const left = power(subtract(1, done), this.power);
    return add(multiply(left, Math.fround(initialLearningRate) - Math.fround(endLearningRate)), endLearningRate);
  }
}

registerBuiltins("keras.optimizers.schedules", { PolynomialDecay });
