import { configure } from "../config/configure.js";
import { float, nonNegativeInt, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divide, minimum, multiply, power, sqrt, square, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { learningRate as rateField } from "./learning-rate.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  learningRate: rateField(0.0025),
  /** Where between the steps' end and their average gradients are taken. */
  beta1: float(0.9, { savedAs: "beta_1" }),
  /** Decay rate of the second-moment estimates. */
  beta2: float(0.999, { savedAs: "beta_2" }),
  epsilon: float(1e-8),
  /** Steps in which the learning rate rises from 0. */
  warmupSteps: nonNegativeInt(0),
};
export interface ScheduleFreeAdamWOptions extends OptimizerOptions, Options<typeof fields> {}

/** Adam that averages its iterates instead of following a schedule of learning rates (Defazio et al., 2024). */
export class ScheduleFreeAdamW extends configure(Optimizer, "ScheduleFreeAdamW", fields) {
  /** Where the steps have led; the weights themselves lie between it and the average. */
  #ends!: Slot;
  #velocities!: Slot;

  constructor(options: ScheduleFreeAdamWOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#ends, this.#velocities] = this.addSlots(trained, ["momentum", "velocity"], (name, { value }) =>
      name === "momentum" ? multiply(value, 1) : null,
    );
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const step = cast(add(this.iterations, 1), variable.dtype);
    const warmth = this.warmupSteps > 0 ? minimum(divide(step, this.warmupSteps), 1) : null;
    const rate = warmth ? multiply(learningRate, warmth) : learningRate;
    const [end, v] = [this.#ends.of(variable), this.#velocities.of(variable)];
    const old = end.value;
    v.assign(add(v.value, multiply(subtract(square(gradient), v.value), 1 - this.beta2)));
    const spread = add(sqrt(divide(v.value, subtract(1, power(this.beta2, step)))), this.epsilon);
    end.assign(subtract(old, divide(multiply(rate, gradient), spread)));
    // The average is not kept: the weights and the end tell it.
    const average = divide(subtract(variable.value, multiply(old, 1 - this.beta1)), this.beta1);
    const share = divide(1, step);
    const moved = add(multiply(subtract(1, share), average), multiply(share, end.value));
    variable.assign(add(multiply(end.value, 1 - this.beta1), multiply(moved, this.beta1)));
  }
}
