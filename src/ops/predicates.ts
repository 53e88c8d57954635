import { promoted, toTensor } from "../core/convert.js";
import { isComplex, isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { all } from "./reductions.js";
import { axesOf, constant, toFloat } from "./support.js";

const never = (x: Tensor): Tensor => P.full(x.shape, 0, "bool");
const infinite =
  (target: (x: Tensor) => Tensor, value: number) =>
  (x: TensorLike): Tensor => {
    const t = toTensor(x);
    return isFloat(t.dtype) ? P.equal(target(t), constant(value, t)) : never(t);
  };
/** Whether elements are infinite. */
export const isinf = defineOp("numpy.Isinf", infinite(P.abs, Infinity));
/** Whether elements are infinite and positive. */
export const isposinf = defineOp(
  "numpy.Isposinf",
  infinite((x) => x, Infinity),
);
/** Whether elements are infinite and negative. */
export const isneginf = defineOp(
  "numpy.Isneginf",
  infinite((x) => x, -Infinity),
);
/** Whether elements have no imaginary part. */
export const isreal = defineOp("numpy.Isreal", (x: TensorLike): Tensor => {
  const t = toTensor(x);
  if (!isComplex(t.dtype)) return P.full(t.shape, 1, "bool");
  const part = P.imag(t);
  return P.equal(part, constant(0, part));
});
/** Whether the sign bit is set: for negative numbers, -0 and NaNs with that bit. */
export const signbit = defineOp("numpy.Signbit", (x: TensorLike): Tensor => {
  const t = toTensor(x);
  if (t.dtype === "bool") return never(t);
  if (!isFloat(t.dtype)) return P.less(t, constant(0, t));
  const bits = P.bitcast(P.cast(t, "float32"), "int32");
  return P.less(bits, constant(0, bits));
});

interface ClosenessOptions {
  /** Allowed difference relative to x2. */
  rtol?: number | undefined;
  /** Allowed difference beside that. */
  atol?: number | undefined;
  equalNan?: boolean | undefined;
}
/** Whether |x1 - x2| <= atol + rtol |x2|, element by element. */
export const isclose = defineOp(
  "numpy.Isclose",
  (x1: TensorLike, x2: TensorLike, { rtol = 1e-5, atol = 1e-8, equalNan = false }: ClosenessOptions = {}): Tensor => {
    const [a, b] = promoted([x1, x2]) as [Tensor, Tensor];
    if (!isFloat(a.dtype) && !isComplex(a.dtype) && a.dtype === "bool") return P.equal(a, b);
    const [x, y] = [toFloat(a), toFloat(b)];
    const limit = P.add(constant(atol, P.abs(y)), P.multiply(constant(rtol, P.abs(y)), P.abs(y)));
    const near = P.lessEqual(P.abs(P.subtract(x, y)), limit);
    const finite = P.logicalAnd(P.isFinite(x), P.isFinite(y));
    const same = P.logicalOr(P.logicalAnd(finite, near), P.equal(x, y));
    return equalNan ? P.logicalOr(same, P.logicalAnd(P.notEqual(x, x), P.notEqual(y, y))) : same;
  },
);
/** Whether all elements are close. */
export const allclose = defineOp(
  "numpy.Allclose",
  (x1: TensorLike, x2: TensorLike, options: ClosenessOptions = {}): Tensor => all(isclose(x1, x2, options)),
);
/** Whether elements of x1 occur in x2. */
export const isin = defineOp(
  "numpy.IsIn",
  (
    x1: TensorLike,
    x2: TensorLike,
    { invert = false }: { assumeUnique?: boolean | undefined; invert?: boolean | undefined } = {},
  ): Tensor => {
    const [x, y] = promoted([x1, x2]) as [Tensor, Tensor];
    const candidates = P.reshape(y, [y.size]);
    const found = P.any(P.equal(P.reshape(x, [...x.shape, 1]), candidates), [x.ndim]);
    return invert ? P.logicalNot(found) : found;
  },
);
/** Replaces NaN and infinities by numbers; infinities by the largest finite ones unless given. */
export const nanToNum = defineOp(
  "numpy.NanToNum",
  (
    x: TensorLike,
    {
      nan = 0,
      posinf = null,
      neginf = null,
    }: { nan?: number | undefined; posinf?: number | null | undefined; neginf?: number | null | undefined } = {},
  ): Tensor => {
    const t = toTensor(x);
    if (!isFloat(t.dtype)) return t;
    const largest =
      t.dtype === "float16" ? 65504 : t.dtype === "bfloat16" ? 3.3895313892515355e38 : 3.4028234663852886e38;
    const number = P.select(P.notEqual(t, t), constant(nan, t), t);
    const above = P.select(P.equal(t, constant(Infinity, t)), constant(posinf ?? largest, t), number);
    return P.select(P.equal(t, constant(-Infinity, t)), constant(neginf ?? -largest, t), above);
  },
);
/** Number of elements that are not zero, as int32. */
export const countNonzero = defineOp(
  "numpy.CountNonzero",
  (x: TensorLike, { axis = null }: { axis?: number | readonly number[] | null | undefined } = {}): Tensor => {
    const t = toTensor(x, "bool");
    return P.sum(P.cast(t, "int32"), axesOf(axis, t.ndim));
  },
);
