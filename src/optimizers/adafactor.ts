import { configure } from "../config/configure.js";
import { bool, float, type Options } from "../config/fields.js";
import type { Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { add, divide, maximum, minimum, multiply, power, sqrt, square, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { mean } from "../ops/reductions.js";
import { expandDims } from "../ops/shape.js";
import * as P from "../primitives/index.js";
import { Optimizer, type OptimizerOptions } from "./optimizer.js";

const fields = {
  /** How fast the decay rate of the second moments approaches 1. */
  beta2Decay: float(-0.8, { savedAs: "beta_2_decay" }),
  /** Added to squared gradients. */
  epsilon1: float(1e-30, { savedAs: "epsilon_1" }),
  /** The least size of weights that steps are in proportion to. */
  epsilon2: float(1e-3, { savedAs: "epsilon_2" }),
  /** Steps of a larger root mean square are scaled down to it. */
  clipThreshold: float(1),
  /** Kept for saved models: the learning rate falls with the step either way, as in Python Keras. */
  relativeStep: bool(true),
};
export interface AdafactorOptions extends OptimizerOptions, Options<typeof fields> {}

/** The second moments of a variable: of rows and columns where it has such, and of all elements. */
interface Moments {
  readonly rows: Variable;
  readonly columns: Variable;
  readonly all: Variable;
}

/** Adam without momentum that keeps sums of rows and columns instead of all second moments (Shazeer & Stern, 2018). */
export class Adafactor extends configure(Optimizer, "Adafactor", fields) {
  readonly #moments = new Map<Variable, Moments>();

  constructor(options: AdafactorOptions = {}) {
    super(options);
  }
  protected override buildSlots(trained: readonly Variable[]): void {
    for (const variable of trained) {
      if (variable.overwriteWithGradient) continue;
      const { name, shape, variableDType } = variable;
      const isMatrix = shape.length >= 2;
      const make = (of: Shape, dtype = variableDType): Variable =>
        this.track(new Variable(() => P.full(of, 0, dtype), { shape: of, dtype, trainable: false, name }));
      // Files have placeholders for what vectors do not need.
      const rows = isMatrix ? make(shape.slice(0, -1)) : make([], "int32");
      const columns = isMatrix ? make([...shape.slice(0, -2), shape.at(-1)!]) : make([], "int32");
      const [all] = this.addSlots([variable], ["velocity"]);
      this.#moments.set(variable, { rows, columns, all: all.of(variable) });
    }
  }
  protected override updateStep(gradient: Tensor, variable: Variable, learningRate: Tensor): void {
    const step = cast(add(this.iterations, 1), variable.dtype);
    const falling = divide(1, sqrt(step));
    const rate = minimum(learningRate, falling);
    const size = multiply(maximum(rootMeanSquare(variable.value), this.epsilon2), rate);
    const beta = subtract(1, power(step, this.beta2Decay));
    const blend = (slot: Variable, now: Tensor): Tensor =>
      slot.assign(add(multiply(beta, slot.value), multiply(subtract(1, beta), now)));
    const squares = add(square(gradient), this.epsilon1);
    const { rows, columns, all } = this.#moments.get(variable)!;
    if (variable.shape.length < 2) blend(all, squares);
    else {
      const r = blend(rows, mean(squares, { axis: -1 }));
      const c = blend(columns, mean(squares, { axis: -2 }));
      const share = divide(r, mean(r, { axis: -1, keepdims: true }));
      all.assign(multiply(expandDims(share, -1), expandDims(c, -2)));
    }
    const update = divide(gradient, sqrt(all.value));
    const clipped = divide(update, maximum(divide(rootMeanSquare(update), this.clipThreshold), 1));
    variable.assign(subtract(variable.value, multiply(size, clipped)));
  }
}
const rootMeanSquare = (x: Tensor): Tensor => sqrt(mean(square(x)));
