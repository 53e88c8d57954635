import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divide, multiply, sqrt, square, subtract } from "../ops/arithmetic.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** Decay rate of the averages. */
  rho: float(0.95),
  epsilon: float(1e-7),
};
export interface AdadeltaOptions extends OptimizerOptions, Options<typeof fields> {}

/** Steps in proportion to those made so far, over a window that decays (Zeiler, 2012). */
export class Adadelta extends configure(Optimizer, "Adadelta", fields) {
  #gradients!: Slot;
  #steps!: Slot;

  constructor(options: AdadeltaOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#gradients, this.#steps] = this.addSlots(trained, ["accumulated_grad", "accumulated_delta_var"]);
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const [gradients, steps] = [this.#gradients.of(variable), this.#steps.of(variable)];
    const blend = (old: Tensor, now: Tensor): Tensor =>
      add(multiply(old, this.rho), multiply(square(now), 1 - this.rho));
    const root = (x: Tensor): Tensor => sqrt(add(x, this.epsilon));
    gradients.assign(blend(gradients.value, gradient));
    const step = divide(multiply(root(steps.value), gradient), root(gradients.value));
    steps.assign(blend(steps.value, step));
    variable.assign(subtract(variable.value, multiply(learningRate, step)));
  }
}
