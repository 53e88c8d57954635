import { configure } from "../../config/configure.js";
import { float, number, type Options, string } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { toTensor } from "../../core/convert.js";
import { floatx } from "../../core/settings.js";
import type { Tensor } from "../../core/tensor.js";
import { add, divide, multiply, power, subtract } from "../../ops/arithmetic.js";
import { cos, floor, log } from "../../ops/elementwise.js";
import { floatStep, LearningRateSchedule } from "./learning-rate-schedule.js";

const fields = {
  initialLearningRate: float(),
  /** Steps of the first fall. */
  firstDecaySteps: number({ above: 0 }),
  /** How many times longer each fall is than the one before. */
  tMul: float(2),
  /** How many times higher each fall begins than the one before. */
  mMul: float(1),
  /** The rate at the end of a fall, as a share of the first. */
  alpha: float(0),
  name: string("SGDRDecay"),
};
export interface CosineDecayRestartsOptions extends Omit<
  Options<typeof fields>,
  "initialLearningRate" | "firstDecaySteps"
> {}

/** Falls along half a cosine again and again (Loshchilov & Hutter, 2016). */
export class CosineDecayRestarts extends configure(LearningRateSchedule, "CosineDecayRestarts", fields) {
  constructor(initialLearningRate: number, firstDecaySteps: number, options: CosineDecayRestartsOptions = {}) {
    super({ initialLearningRate, firstDecaySteps, ...options });
  }
  override call(step: Tensor): Tensor {
    const { alpha, initialLearningRate } = this;
    const [restarts, done] = this.position(divide(floatStep(step), this.firstDecaySteps));
    const height = multiply(power(this.mMul, restarts), 0.5);
    const cosine = multiply(height, add(cos(multiply(done, Math.PI)), 1));
    return multiply(add(multiply(cosine, 1 - alpha), alpha), initialLearningRate);
  }
  /** How many falls are over, and which share of the current one, from the steps counted in first falls. */
  private position(falls: Tensor): [restarts: Tensor, done: Tensor] {
    const factor = this.tMul;
    if (factor === 1) {
      const restarts = floor(falls);
      return [restarts, subtract(falls, restarts)];
    }
    const grown = subtract(1, multiply(falls, 1 - factor));
    const restarts = floor(divide(log(grown), log(toTensor(factor, floatx()))));
    const length = power(factor, restarts);
    return [restarts, divide(subtract(falls, divide(subtract(1, length), 1 - factor)), length)];
  }
}

registerBuiltins("keras.optimizers.schedules", { CosineDecayRestarts });
