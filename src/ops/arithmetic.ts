import { promoted, resultType, toTensor } from "../core/convert.js";
import { isComplex, isFloat, isInteger } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { floatx } from "../core/settings.js";
import { constant, toFloat } from "./support.js";

type Binary = (x1: TensorLike, x2: TensorLike) => Tensor;
type Unary = (x: TensorLike) => Tensor;
type Fn2 = (x: Tensor, y: Tensor) => Tensor;

/** Applies `fn` to both operands in their common dtype. */
const elementwise =
  (fn: Fn2): Binary =>
  (x1, x2) => {
    const [x, y] = promoted([x1, x2]);
    return fn(x!, y!);
  };
/** Sum of two tensors; `or` for bools. */
export const add = defineOp(
  "numpy.Add",
  elementwise((x, y) => (x.dtype === "bool" ? P.logicalOr(x, y) : P.add(x, y))),
);
/** Difference of two tensors. */
export const subtract = defineOp("numpy.Subtract", elementwise(P.subtract));
/** Product of two tensors; `and` for bools. */
export const multiply = defineOp(
  "numpy.Multiply",
  elementwise((x, y) => (x.dtype === "bool" ? P.logicalAnd(x, y) : P.multiply(x, y))),
);

const floatPair = (x1: TensorLike, x2: TensorLike): [Tensor, Tensor] => {
  const dtype = resultType(x1, x2);
  const target = isFloat(dtype) || isComplex(dtype) ? dtype : floatx();
  return promoted([x1, x2], target) as [Tensor, Tensor];
};
/** Quotient; integers divide to floats. */
export const divide = defineOp("numpy.Divide", (x1: TensorLike, x2: TensorLike): Tensor =>
  P.divide(...floatPair(x1, x2)),
);
/** Quotient; integers divide to floats. */
export const trueDivide = defineOp("numpy.TrueDivide", (x1: TensorLike, x2: TensorLike): Tensor =>
  P.divide(...floatPair(x1, x2)),
);
/** Quotient, and 0 where the divisor is 0. */
export const divideNoNan = defineOp("numpy.DivideNoNan", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = floatPair(x1, x2);
  const zero = P.equal(y, constant(0, y));
  return P.select(zero, constant(0, x), P.divide(x, P.select(zero, constant(1, y), y)));
});
/** Quotient rounded down. */
export const floorDivide = defineOp(
  "numpy.FloorDivide",
  elementwise((a, b) => {
    const [x, y] = a.dtype === "bool" ? [P.cast(a, "int32"), P.cast(b, "int32")] : [a, b];
    const remainder = P.remainder(x, y);
    const below = P.logicalAnd(
      P.notEqual(remainder, constant(0, x)),
      P.notEqual(P.less(remainder, constant(0, x)), P.less(y, constant(0, y))),
    );
    if (isInteger(x.dtype)) return P.subtract(P.divide(x, y), P.cast(below, x.dtype));
    // Without the remainder, a quotient just below a whole number would be rounded up to it: 1 / 0.1 in floats is 10.
    const whole = P.round(P.subtract(P.divide(P.subtract(x, remainder), y), P.cast(below, x.dtype)));
    return P.select(P.equal(y, constant(0, y)), P.divide(x, y), whole);
  }),
);
/** Remainder with the sign of the dividend; 0 where an integer is divided by 0. */
export const remainderOf = (x: Tensor, y: Tensor): Tensor => {
  const remainder = P.remainder(x, y);
  return isInteger(x.dtype) ? P.select(P.equal(y, constant(0, y)), constant(0, x), remainder) : remainder;
};
/** Remainder with the sign of the divisor; 0 where an integer is divided by 0. */
export const mod = defineOp(
  "numpy.Mod",
  elementwise((a, b) => {
    const [x, y] = a.dtype === "bool" ? [P.cast(a, "int32"), P.cast(b, "int32")] : [a, b];
    const remainder = remainderOf(x, y);
    const shifted = P.logicalAnd(
      P.notEqual(remainder, constant(0, x)),
      P.notEqual(P.less(remainder, constant(0, x)), P.less(y, constant(0, y))),
    );
    return P.select(shifted, P.add(remainder, y), remainder);
  }),
);
/** `x1` to the power of `x2`. Small whole exponents of floats are products. */
export const power = defineOp("numpy.Power", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = promoted([x1, x2]);
  if (x2 === 2) return P.multiply(x!, x!);
  if (x2 === 1) return x!;
  return x!.dtype === "bool" ? P.cast(P.power(P.cast(x!, "int32"), P.cast(y!, "int32")), "int32") : P.power(x!, y!);
});
/** Larger of two, element by element; NaN wins. */
export const maximum = defineOp(
  "numpy.Maximum",
  elementwise((x, y) => (x.dtype === "bool" ? P.logicalOr(x, y) : P.maximum(x, y))),
);
/** Smaller of two, element by element; NaN wins. */
export const minimum = defineOp(
  "numpy.Minimum",
  elementwise((x, y) => (x.dtype === "bool" ? P.logicalAnd(x, y) : P.minimum(x, y))),
);

/** -x. */
export const negative = defineOp("numpy.Negative", ((x) => P.negative(toTensor(x))) as Unary);
/** |x|. */
export const absolute = defineOp(
  "numpy.Absolute",
  ((x) => {
    const t = toTensor(x);
    return t.dtype === "bool" ? t : P.abs(t);
  }) as Unary,
  { aliases: ["numpy.Abs"] },
);
export { absolute as abs };
/** -1, 0 or 1 with the sign of x. */
export const sign = defineOp("numpy.Sign", ((x) => P.sign(toTensor(x))) as Unary);
/** x². Bools count as integers. */
export const square = defineOp("numpy.Square", ((x) => {
  const t = toTensor(x);
  const s = t.dtype === "bool" ? P.cast(t, "int32") : t;
  return P.multiply(s, s);
}) as Unary);
/** √x. */
export const sqrt = defineOp("numpy.Sqrt", ((x) => P.sqrt(toFloat(x))) as Unary);
/** 1 / √x. */
export const rsqrt = defineOp("math.Rsqrt", ((x) => P.rsqrt(toFloat(x))) as Unary);
/** 1 / x. */
export const reciprocal = defineOp("numpy.Reciprocal", ((x) => {
  const t = toFloat(x);
  return P.divide(constant(1, t), t);
}) as Unary);
/** x limited to [xMin, xMax]. */
export const clip = defineOp(
  "numpy.Clip",
  (x: TensorLike, xMin: TensorLike | null, xMax: TensorLike | null): Tensor => {
    const t = toTensor(x);
    const s = t.dtype === "bool" ? P.cast(t, "int32") : t;
    // Bounds that are no integers make floats of integers.
    const bounds = [xMin, xMax].filter((bound) => bound !== null);
    const dtype = resultType(s, ...bounds);
    const low = xMin === null ? P.cast(s, dtype) : P.maximum(P.cast(s, dtype), toTensor(xMin, dtype));
    return xMax === null ? low : P.minimum(low, toTensor(xMax, dtype));
  },
  { static: ["x_min", "x_max"] },
);
