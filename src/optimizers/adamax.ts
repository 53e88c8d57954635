import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { abs, add, divide, maximum, multiply, power, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** Decay rate of the first-moment estimates. */
  beta1: float(0.9, { savedAs: "beta_1" }),
  /** Decay rate of the largest gradients. */
  beta2: float(0.999, { savedAs: "beta_2" }),
  epsilon: float(1e-7),
};
export interface AdamaxOptions extends OptimizerOptions, Options<typeof fields> {}

/** Adam by the infinity norm: divides by the largest gradient, which decays (Kingma & Ba, 2014, section 7). */
export class Adamax extends configure(Optimizer, "Adamax", fields) {
  #momentums!: Slot;
  #norms!: Slot;

  constructor(options: AdamaxOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#momentums, this.#norms] = this.addSlots(trained, ["momentum", "norm"]);
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const step = cast(add(this.iterations, 1), variable.dtype);
    const [m, u] = [this.#momentums.of(variable), this.#norms.of(variable)];
    m.assign(add(m.value, multiply(subtract(gradient, m.value), 1 - this.beta1)));
    u.assign(maximum(multiply(u.value, this.beta2), abs(gradient)));
    const scale = multiply(subtract(1, power(this.beta1, step)), add(u.value, this.epsilon));
    variable.assign(subtract(variable.value, divide(multiply(learningRate, m.value), scale)));
  }
}
