import { Configurable } from "../../config/configurable.js";
import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { toTensor } from "../../core/convert.js";
import { floatx } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { cast } from "../../ops/elementwise.js";

export interface LearningRateSchedule {
  (step: TensorLike): Tensor;
}
/** Base of learning rates that depend on the step, counted from 0. Classes of users define `call(step)` and `getConfig()`. */
export abstract class LearningRateSchedule extends configure(Configurable, "LearningRateSchedule", {}) {
  static override readonly module: string = "keras.optimizers.schedules";
  /** The learning rate at a step, which is an integer scalar. */
  abstract call(step: Tensor): Tensor;
  protected override invoke(step: TensorLike): Tensor {
    return this.call(toTensor(step));
  }
}
/** A step as a float to compute with. */
export const floatStep = (step: Tensor): Tensor => cast(step, floatx());

registerBuiltins("keras.optimizers.schedules", { LearningRateSchedule });
