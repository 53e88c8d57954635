import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { add, clip, divide, multiply, power, square, subtract } from "../ops/arithmetic.js";
import * as P from "../primitives/index.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";
import type { Slot } from "./slot.js";

const fields = {
  /** How the step size falls with the sum of squared gradients; it stays when 0. */
  learningRatePower: float(-0.5, { max: 0 }),
  /** Where the sums of squared gradients begin. */
  initialAccumulatorValue: float(0.1, { min: 0 }),
  l1RegularizationStrength: float(0, { savedAs: "l1_regularization_strength", min: 0 }),
  l2RegularizationStrength: float(0, { savedAs: "l2_regularization_strength", min: 0 }),
  /** A penalty on large weights that is no part of the steps' sizes. */
  l2ShrinkageRegularizationStrength: float(0, { savedAs: "l2_shrinkage_regularization_strength", min: 0 }),
  beta: float(0),
};
export interface FtrlOptions extends OptimizerOptions, Options<typeof fields> {}

/** Follows the regularized leader, which keeps weights at 0 that do not help (McMahan et al., 2013). */
export class Ftrl extends configure(Optimizer, "Ftrl", fields) {
  #accumulators!: Slot;
  #linears!: Slot;

  constructor(options: FtrlOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    [this.#accumulators, this.#linears] = this.addSlots(
      trained,
      ["accumulator", "linear"],
      (name, { shape, variableDType }) =>
        name === "linear" ? null : P.full(shape, this.initialAccumulatorValue, variableDType),
    );
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const [accumulator, linear] = [this.#accumulators.of(variable), this.#linears.of(variable)];
    const total = add(accumulator.value, square(gradient));
    const raised = (x: Tensor): Tensor => power(x, -this.learningRatePower);
    const sigma = divide(subtract(raised(total), raised(accumulator.value)), learningRate);
    const shrinking = add(gradient, multiply(variable.value, 2 * this.l2ShrinkageRegularizationStrength));
    linear.assign(add(linear.value, subtract(shrinking, multiply(sigma, variable.value))));
    const l2 = add(divide(this.beta, multiply(learningRate, 2)), this.l2RegularizationStrength);
    const quadratic = add(divide(raised(total), learningRate), multiply(l2, 2));
    const l1 = this.l1RegularizationStrength;
    variable.assign(divide(subtract(clip(linear.value, -l1, l1), linear.value), quadratic));
    accumulator.assign(total);
  }
}
