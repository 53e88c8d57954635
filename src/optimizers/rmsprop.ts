import { configure } from "../config/configure.js";
import { bool, float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divide, multiply, sqrt, square, subtract } from "../ops/arithmetic.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** Decay rate of the average of squared gradients. */
  rho: float(0.9),
  /** Share of the last step that is made again; none when 0. */
  momentum: float(0),
  epsilon: float(1e-7),
  /** Whether to divide by the variance instead of the mean square. */
  centered: bool(false),
};
export interface RMSpropOptions extends OptimizerOptions, Options<typeof fields> {}

/** Divides gradients by a running root mean square of their size (Hinton, 2012, lecture 6e). */
export class RMSprop extends configure(Optimizer, "RMSprop", fields) {
  #velocities!: Slot;
  #momentums: Slot | null = null;
  #averages: Slot | null = null;

  constructor(options: RMSpropOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#velocities] = this.addSlots(trained, ["velocity"]);
    if (this.momentum > 0) [this.#momentums] = this.addSlots(trained, ["momentum"]);
    if (this.centered) [this.#averages] = this.addSlots(trained, ["average_gradient"]);
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const blend = (old: Tensor, now: Tensor): Tensor => add(multiply(old, this.rho), multiply(now, 1 - this.rho));
    const velocity = this.#velocities.of(variable);
    velocity.assign(blend(velocity.value, square(gradient)));
    const average = this.#averages?.of(variable);
    average?.assign(blend(average.value, gradient));
    const spread = average ? subtract(velocity.value, square(average.value)) : velocity.value;
    const step = divide(multiply(learningRate, gradient), sqrt(add(spread, this.epsilon)));
    const momentum = this.#momentums?.of(variable);
    variable.assign(
      subtract(variable.value, momentum ? momentum.assign(add(multiply(momentum.value, this.momentum), step)) : step),
    );
  }
}
