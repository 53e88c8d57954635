import { configure } from "../config/configure.js";
import { bool, float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divide, maximum, multiply, power, sqrt, square, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** Decay rate of the first-moment estimates. */
  beta1: float(0.9, { savedAs: "beta_1" }),
  /** Decay rate of the second-moment estimates. */
  beta2: float(0.999, { savedAs: "beta_2" }),
  /** Added to the root, for stability: the "epsilon hat" of the paper. */
  epsilon: float(1e-7),
  /** Whether to divide by the largest second moment seen so far (Reddi et al., 2018). */
  amsgrad: bool(false),
};
export interface AdamOptions extends OptimizerOptions, Options<typeof fields> {}

/** Gradient descent with adaptive estimates of the first two moments (Kingma & Ba, 2014). */
export class Adam extends configure(Optimizer, "Adam", fields) {
  #momentums!: Slot;
  #velocities!: Slot;
  #largest: Slot | null = null;

  constructor(options: AdamOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#momentums, this.#velocities] = this.addSlots(trained, ["momentum", "velocity"]);
    if (this.amsgrad) [this.#largest] = this.addSlots(trained, ["velocity_hat"]);
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const step = cast(add(this.iterations, 1), variable.dtype);
    const correction = divide(sqrt(subtract(1, power(this.beta2, step))), subtract(1, power(this.beta1, step)));
    const m = this.#momentums.of(variable);
    const v = this.#velocities.of(variable);
    m.assign(add(m.value, multiply(subtract(gradient, m.value), 1 - this.beta1)));
    v.assign(add(v.value, multiply(subtract(square(gradient), v.value), 1 - this.beta2)));
    const largest = this.#largest?.of(variable);
    largest?.assign(maximum(largest.value, v.value));
    const scale = add(sqrt((largest ?? v).value), this.epsilon);
    variable.assign(subtract(variable.value, divide(multiply(m.value, multiply(learningRate, correction)), scale)));
  }
}
