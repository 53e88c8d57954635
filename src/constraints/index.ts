import { Configurable } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import { axis, float, number, objectField, type Options } from "../config/fields.js";
import { makeLookup } from "../config/lookup.js";
import { epsilon } from "../core/settings.js";
import { toTensor } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, clip, divide, maximum, multiply, sqrt, square } from "../ops/arithmetic.js";
import { sum } from "../ops/reductions.js";

/** Projects a weight after each step of the optimizer. */
export type ConstraintFunction = (w: Tensor) => Tensor;
export interface Constraint {
  (w: TensorLike): Tensor;
}
/** Base of projections that can be saved. */
export class Constraint extends configure(Configurable, "Constraint", {}) {
  static override readonly module: string = "keras.constraints";
  /** The projected weight; the base class leaves it as it is. */
  call(w: Tensor): Tensor {
    return w;
  }
  protected override invoke(w: TensorLike): Tensor {
    return this.call(toTensor(w));
  }
}
const norms = (w: Tensor, axes: number | readonly number[]): Tensor =>
  sqrt(sum(square(w), { axis: axes, keepdims: true }));

const maxNormFields = { maxValue: number(2), axis: axis(0) };
/** Caps the norm of weight vectors along `axis`. */
export class MaxNorm extends configure(Constraint, "MaxNorm", maxNormFields) {
  constructor(options: Options<typeof maxNormFields> = {}) {
    super(options);
  }
  override call(w: Tensor): Tensor {
    const norm = norms(w, this.axis);
    return multiply(w, divide(clip(norm, 0, this.maxValue), add(epsilon(), norm)));
  }
}
/** Sets negative weights to 0. */
export class NonNeg extends configure(Constraint, "NonNeg", {}) {
  override call(w: Tensor): Tensor {
    return maximum(w, 0);
  }
}
const unitNormFields = { axis: axis(0) };
/** Gives weight vectors along `axis` norm 1. */
export class UnitNorm extends configure(Constraint, "UnitNorm", unitNormFields) {
  constructor(options: Options<typeof unitNormFields> = {}) {
    super(options);
  }
  override call(w: Tensor): Tensor {
    return divide(w, add(epsilon(), norms(w, this.axis)));
  }
}
const minMaxNormFields = { minValue: float(0), maxValue: float(1), rate: float(1), axis: axis(0) };
/** Moves the norm of weight vectors along `axis` into a range, at a rate. */
export class MinMaxNorm extends configure(Constraint, "MinMaxNorm", minMaxNormFields) {
  constructor(options: Options<typeof minMaxNormFields> = {}) {
    super(options);
  }
  override call(w: Tensor): Tensor {
    const norm = norms(w, this.axis);
    const desired = add(multiply(this.rate, clip(norm, this.minValue, this.maxValue)), multiply(1 - this.rate, norm));
    return multiply(w, divide(desired, add(epsilon(), norm)));
  }
}

/** Finds constraints by name, config, class or instance. */
export const constraints = makeLookup({
  kind: "constraint",
  module: "keras.constraints",
  objects: { Constraint, MaxNorm, MinMaxNorm, NonNeg, UnitNorm },
  accepts: (value): value is ConstraintFunction => typeof value === "function",
});
/** A constructor argument that is a constraint or null. */
export const constraint = () => objectField(constraints, null);
/** The constraint that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = constraints;
