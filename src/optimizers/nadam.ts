import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { floatx } from "../core/settings.js";
import { add, divide, multiply, power, sqrt, square, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import * as P from "../primitives/index.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** Decay rate of the first-moment estimates. */
  beta1: float(0.9, { savedAs: "beta_1" }),
  /** Decay rate of the second-moment estimates. */
  beta2: float(0.999, { savedAs: "beta_2" }),
  epsilon: float(1e-7),
};
export interface NadamOptions extends OptimizerOptions, Options<typeof fields> {}

/** Adam that looks ahead along its momentum (Dozat, 2015). */
export class Nadam extends configure(Optimizer, "Nadam", fields) {
  #momentums!: Slot;
  #velocities!: Slot;
  /** Product of the momentum's decay rates so far. */
  #product!: Variable;

  constructor(options: NadamOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#momentums, this.#velocities] = this.addSlots(trained, ["momentum", "velocity"]);
    const dtype = trained[0]?.variableDType ?? floatx();
    this.#product = this.track(new Variable(() => P.full([], 1, dtype), { shape: [], dtype }));
  }
  /** The momentum's decay rate at a step. */
  private rateAt(step: Tensor): Tensor {
    return multiply(subtract(1, multiply(power(0.96, step), 0.5)), this.beta1);
  }
  protected override beginUpdate(): void {
    const product = this.#product;
    const step = cast(add(this.iterations, 1), product.dtype);
    product.assign(multiply(product.value, this.rateAt(step)));
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const step = cast(add(this.iterations, 1), variable.dtype);
    const [rate, next] = [this.rateAt(step), this.rateAt(add(step, 1))];
    const product = cast(this.#product.value, variable.dtype);
    const [m, v] = [this.#momentums.of(variable), this.#velocities.of(variable)];
    m.assign(add(m.value, multiply(subtract(gradient, m.value), 1 - this.beta1)));
    v.assign(add(v.value, multiply(subtract(square(gradient), v.value), 1 - this.beta2)));
    const ahead = divide(multiply(next, m.value), subtract(1, multiply(product, next)));
    const now = divide(multiply(subtract(1, rate), gradient), subtract(1, product));
    const spread = divide(v.value, subtract(1, power(this.beta2, step)));
    const change = divide(multiply(add(ahead, now), learningRate), add(sqrt(spread), this.epsilon));
    variable.assign(subtract(variable.value, change));
  }
}
