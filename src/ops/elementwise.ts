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

export const exp = defineOp("numpy.Exp", floating(P.exp));
export const expm1 = defineOp("numpy.Expm1", floating(P.expm1));
/** Natural logarithm. */
export const log = defineOp("numpy.Log", floating(P.log));
export const log1p = defineOp("numpy.Log1p", floating(P.log1p));
export const sin = defineOp("numpy.Sin", floating(P.sin));
export const cos = defineOp("numpy.Cos", floating(P.cos));
export const tan = defineOp("numpy.Tan", floating(P.tan));
export const arcsin = defineOp("numpy.Arcsin", floating(P.asin));
export const arccos = defineOp("numpy.Arccos", floating(P.acos));
export const arctan = defineOp("numpy.Arctan", floating(P.atan));
export const sinh = defineOp("numpy.Sinh", floating(P.sinh));
export const cosh = defineOp("numpy.Cosh", floating(P.cosh));
export const tanh = defineOp("numpy.Tanh", floating(P.tanh));
export const arcsinh = defineOp("numpy.Arcsinh", floating(P.asinh));
export const arccosh = defineOp("numpy.Arccosh", floating(P.acosh));
export const arctanh = defineOp("numpy.Arctanh", floating(P.atanh));
export const erf = defineOp("math.Erf", floating(P.erf));
export const erfinv = defineOp("math.Erfinv", floating(P.erfInv));
export const floor = defineOp("numpy.Floor", floating(P.floor));
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
