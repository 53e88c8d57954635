import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, multiply, sign, subtract } from "../ops/arithmetic.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** Weight of the momentum against the gradient in a step. */
  beta1: float(0.9, { savedAs: "beta_1", above: 0, max: 1 }),
  /** Decay rate of the momentum. */
  beta2: float(0.99, { savedAs: "beta_2" }),
};
export interface LionOptions extends OptimizerOptions, Options<typeof fields> {}

/** Steps of one size in the direction of a momentum's sign (Chen et al., 2023). */
export class Lion extends configure(Optimizer, "Lion", fields) {
  #momentums!: Slot;

  constructor(options: LionOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#momentums] = this.addSlots(trained, ["momentum"]);
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const m = this.#momentums.of(variable);
    const blend = (beta: number): Tensor => add(multiply(m.value, beta), multiply(gradient, 1 - beta));
    variable.assign(subtract(variable.value, multiply(learningRate, sign(blend(this.beta1)))));
    m.assign(blend(this.beta2));
  }
}
