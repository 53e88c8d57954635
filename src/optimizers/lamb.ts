import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divide, multiply, power, sqrt, square, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { greater, logicalAnd, where } from "../ops/logic.js";
import { sum } from "../ops/reductions.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** Decay rate of the first-moment estimates. */
  beta1: float(0.9, { savedAs: "beta_1" }),
  /** Decay rate of the second-moment estimates. */
  beta2: float(0.999, { savedAs: "beta_2" }),
  epsilon: float(1e-7),
};
export interface LambOptions extends OptimizerOptions, Options<typeof fields> {}

/** Adam whose steps have the size of the weights they change, for large batches (You et al., 2019). */
export class Lamb extends configure(Optimizer, "Lamb", fields) {
  #momentums!: Slot;
  #velocities!: Slot;

  constructor(options: LambOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#momentums, this.#velocities] = this.addSlots(trained, ["momentum", "velocity"]);
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const step = cast(add(this.iterations, 1), variable.dtype);
    const [m, v] = [this.#momentums.of(variable), this.#velocities.of(variable)];
    m.assign(add(m.value, multiply(subtract(gradient, m.value), 1 - this.beta1)));
    v.assign(add(v.value, multiply(subtract(square(gradient), v.value), 1 - this.beta2)));
    const spread = add(sqrt(divide(v.value, subtract(1, power(this.beta2, step)))), this.epsilon);
    const update = divide(divide(m.value, subtract(1, power(this.beta1, step))), spread);
    const [weights, updates] = [norm(variable.value), norm(update)];
    const ratio = where(logicalAnd(greater(weights, 0), greater(updates, 0)), divide(weights, updates), 1);
    variable.assign(subtract(variable.value, multiply(multiply(ratio, learningRate), update)));
  }
}
const norm = (x: Tensor): Tensor => sqrt(sum(square(x)));
