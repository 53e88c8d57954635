import { toTensor } from "../core/convert.js";
import { isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { givenDType, toFloat } from "./support.js";

type Unary = (x: TensorLike) => Tensor;
const floating =
  (fn: (x: Tensor) => Tensor): Unary =>
  (x) =>
    fn(toFloat(x));

/** eˣ. Integers and bools become floats first, as in all functions of floats here. */
export const exp = defineOp("numpy.Exp", floating(P.exp));
/** eˣ - 1, exact near 0. */
export const expm1 = defineOp("numpy.Expm1", floating(P.expm1));
/** Natural logarithm. */
export const log = defineOp("numpy.Log", floating(P.log));
/** log(1 + x), exact near 0; NaN below -1. */
export const log1p = defineOp("numpy.Log1p", floating(P.log1p));
/** Sine of angles in radians. */
export const sin = defineOp("numpy.Sin", floating(P.sin));
/** Cosine of angles in radians. */
export const cos = defineOp("numpy.Cos", floating(P.cos));
/** Tangent of angles in radians. */
export const tan = defineOp("numpy.Tan", floating(P.tan));
/** Inverse sine, in radians in [-π/2, π/2]; NaN outside of [-1, 1]. */
export const arcsin = defineOp("numpy.Arcsin", floating(P.asin));
/** Inverse cosine, in radians in [0, π]; NaN outside of [-1, 1]. */
export const arccos = defineOp("numpy.Arccos", floating(P.acos));
/** Inverse tangent, in radians in [-π/2, π/2]. */
export const arctan = defineOp("numpy.Arctan", floating(P.atan));
/** Hyperbolic sine. */
export const sinh = defineOp("numpy.Sinh", floating(P.sinh));
/** Hyperbolic cosine. */
export const cosh = defineOp("numpy.Cosh", floating(P.cosh));
/** Hyperbolic tangent. */
export const tanh = defineOp("numpy.Tanh", floating(P.tanh));
/** Inverse hyperbolic sine. */
export const arcsinh = defineOp("numpy.Arcsinh", floating(P.asinh));
/** Inverse hyperbolic cosine; NaN below 1. */
export const arccosh = defineOp("numpy.Arccosh", floating(P.acosh));
/** Inverse hyperbolic tangent; NaN outside of [-1, 1]. */
export const arctanh = defineOp("numpy.Arctanh", floating(P.atanh));
/** The error function 2/√π ∫₀ˣ exp(-t²) dt. */
export const erf = defineOp("math.Erf", floating(P.erf));
/** Inverse of the error function; NaN outside of [-1, 1]. */
export const erfinv = defineOp("math.Erfinv", floating(P.erfInv));
/** The greatest whole number that is not above each element, as a float. */
export const floor = defineOp("numpy.Floor", floating(P.floor));
/** The least whole number that is not below each element, as a float. */
export const ceil = defineOp("numpy.Ceil", floating(P.ceil));

/** Converts to another dtype. */
export const cast = defineOp("core.Cast", (x: TensorLike, dtype: string): Tensor => toTensor(x, givenDType(dtype)), {
  static: ["dtype"],
});
/** A constant for gradients. */
export const stopGradient = defineOp("core.StopGradient", (variable: TensorLike): Tensor =>
  P.stopGradient(toTensor(variable)),
);
/** Whether elements are NaN. */
export const isnan = defineOp("numpy.Isnan", ((x) => {
  const t = toTensor(x);
  return P.notEqual(t, t);
}) as Unary);
/** Whether elements are neither infinite nor NaN. */
export const isfinite = defineOp("numpy.Isfinite", ((x) => {
  const t = toTensor(x);
  return isFloat(t.dtype) ? P.isFinite(t) : P.full(t.shape, 1, "bool");
}) as Unary);
