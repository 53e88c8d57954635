import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, divide, multiply, sqrt, square, subtract } from "../ops/arithmetic.js";
import * as P from "../primitives/index.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** Where the sums of squared gradients begin. */
  initialAccumulatorValue: float(0.1),
  epsilon: float(1e-7),
};
export interface AdagradOptions extends OptimizerOptions, Options<typeof fields> {}

/** Gradient descent whose steps shrink with the sum of squared gradients so far (Duchi et al., 2011). */
export class Adagrad extends configure(Optimizer, "Adagrad", fields) {
  #accumulators!: Slot;

  constructor(options: AdagradOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#accumulators] = this.addSlots(trained, ["accumulator"], (_, { shape, variableDType }) =>
      P.full(shape, this.initialAccumulatorValue, variableDType),
    );
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const accumulator = this.#accumulators.of(variable);
    accumulator.assign(add(accumulator.value, square(gradient)));
    const step = divide(multiply(learningRate, gradient), sqrt(add(accumulator.value, this.epsilon)));
    variable.assign(subtract(variable.value, step));
  }
}
