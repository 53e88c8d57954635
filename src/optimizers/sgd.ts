import { configure } from "../config/configure.js";
import { bool, float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, multiply, subtract } from "../ops/arithmetic.js";
import { learningRate as rateField } from "./learning-rate.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  learningRate: rateField(0.01),
  /** Share of the last step that is made again; none when 0. */
  momentum: float(0, { min: 0, max: 1 }),
  /** Whether to look ahead along the momentum (Nesterov). */
  nesterov: bool(false),
};
export interface SGDOptions extends OptimizerOptions, Options<typeof fields> {}

/** Gradient descent, with momentum where asked for (Sutskever et al., 2013). */
export class SGD extends configure(Optimizer, "SGD", fields) {
  #momentums: Slot | null = null;

  constructor(options: SGDOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    if (this.momentum !== 0) [this.#momentums] = this.addSlots(trained, ["momentum"]);
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const step = multiply(gradient, learningRate);
    if (!this.#momentums) {
      variable.assign(subtract(variable.value, step));
      return;
    }
    const slot = this.#momentums.of(variable);
    const momentum = slot.assign(subtract(multiply(slot.value, this.momentum), step));
    variable.assign(add(variable.value, this.nesterov ? subtract(multiply(momentum, this.momentum), step) : momentum));
  }
}
