import { toTensor } from "../core/convert.js";
import { type DType, isComplex, isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { type Axis, axesOf, axisOf, constant, productOf, toFloat } from "./support.js";

export interface ReduceOptions {
  /** Axis or axes to reduce; all when null. */
  axis?: Axis | undefined;
  /** Whether reduced axes stay with size 1. */
  keepdims?: boolean | undefined;
}
/** The dtype Keras sums in: small integers grow to 32 bits. */
const sumDType = (dtype: DType): DType =>
  dtype === "bool" || dtype === "int8" || dtype === "int16"
    ? "int32"
    : dtype === "uint8" || dtype === "uint16"
      ? "uint32"
      : dtype;

/** Sum over `axis`, one or several; over all when null. Bools and small integers add up in 32 bits. `keepdims` leaves summed axes with one element. */
export const sum = defineOp(
  "numpy.Sum",
  (x: TensorLike, { axis = null, keepdims = false }: ReduceOptions = {}): Tensor => {
    const t = toTensor(x);
    return P.sum(P.cast(t, sumDType(t.dtype)), axesOf(axis, t.ndim), keepdims);
  },
);
/** Product of elements. */
export const prod = defineOp(
  "numpy.Prod",
  (
    x: TensorLike,
    { axis = null, keepdims = false, dtype = null }: ReduceOptions & { dtype?: DType | null } = {},
  ): Tensor => {
    const t = toTensor(x);
    return P.product(P.cast(t, dtype ?? sumDType(t.dtype)), axesOf(axis, t.ndim), keepdims);
  },
);
/** Arithmetic mean; of integers a float. */
export const mean = defineOp(
  "numpy.Mean",
  (x: TensorLike, { axis = null, keepdims = false }: ReduceOptions = {}): Tensor => {
    const t = toFloat(x);
    const axes = axesOf(axis, t.ndim);
    const small = t.dtype === "float16" || t.dtype === "bfloat16";
    const wide = small ? P.cast(t, "float32") : t;
    const total = P.sum(wide, axes, keepdims);
    return P.cast(P.divide(total, constant(productOf(axes.map((i) => t.shape[i]!)), wide)), t.dtype);
  },
);
interface ExtremeOptions extends ReduceOptions {
  /** A value the result starts from: needed for empty tensors. */
  initial?: number | null | undefined;
}
const extreme =
  (ofTensor: typeof P.max, ofBool: typeof P.any, combine: typeof P.maximum, kind: string) =>
  (x: TensorLike, { axis = null, keepdims = false, initial = null }: ExtremeOptions = {}): Tensor => {
    const t = toTensor(x);
    const axes = axesOf(axis, t.ndim);
    if (initial === null && axes.some((i) => t.shape[i] === 0))
      throw new RangeError(`${kind} of an empty axis has no value. Received shape [${t.shape}]; give \`initial\`.`);
    if (t.dtype === "bool") {
      const y = ofBool(t, axes, keepdims);
      return initial === null ? y : P.cast(combine(P.cast(y, "int32"), P.full([], initial, "int32")), "bool");
    }
    const y = ofTensor(t, axes, keepdims);
    return initial === null ? y : combine(y, constant(initial, y));
  };
/** Largest element; NaN wins. */
export const max = defineOp("numpy.Max", extreme(P.max, P.any, P.maximum, "max"));
/** Smallest element; NaN wins. */
export const min = defineOp("numpy.Min", extreme(P.min, P.all, P.minimum, "min"));
/** Whether all elements are true (non-zero). */
export const all = defineOp(
  "numpy.All",
  (x: TensorLike, { axis = null, keepdims = false }: ReduceOptions = {}): Tensor => {
    const t = toTensor(x, "bool");
    return P.all(t, axesOf(axis, t.ndim), keepdims);
  },
);
/** Whether some element is true (non-zero). */
export const any = defineOp(
  "numpy.Any",
  (x: TensorLike, { axis = null, keepdims = false }: ReduceOptions = {}): Tensor => {
    const t = toTensor(x, "bool");
    return P.any(t, axesOf(axis, t.ndim), keepdims);
  },
);
/** Population variance. */
export const variance = defineOp(
  "numpy.Var",
  (x: TensorLike, { axis = null, keepdims = false }: ReduceOptions = {}): Tensor => {
    const t = toFloat(x);
    const small = t.dtype === "float16" || t.dtype === "bfloat16";
    const wide = small ? P.cast(t, "float32") : t;
    const centered = P.subtract(wide, mean(wide, { axis, keepdims: true }));
    const squared = isComplex(wide.dtype)
      ? P.real(P.multiply(centered, P.conjugate(centered)))
      : P.multiply(centered, centered);
    return P.cast(mean(squared, { axis, keepdims }), isFloat(t.dtype) ? t.dtype : "float32");
  },
);
/** Population standard deviation. */
export const std = defineOp("numpy.Std", (x: TensorLike, options: ReduceOptions = {}): Tensor =>
  P.sqrt(variance(x, options)),
);
interface ArgOptions {
  axis?: number | null | undefined;
  keepdims?: boolean | undefined;
}
const argReduce =
  (fn: typeof P.argMax) =>
  (x: TensorLike, { axis = null, keepdims = false }: ArgOptions = {}): Tensor => {
    const t = toTensor(x);
    const flat = axis === null ? P.reshape(t, [productOf(t.shape)]) : t;
    const at = axis === null ? 0 : axisOf(axis, t.ndim);
    const y = fn(flat, at);
    return keepdims
      ? P.reshape(y, axis === null ? t.shape.map(() => 1) : t.shape.map((d, i) => (i === at ? 1 : d)))
      : y;
  };
/** int32 position of the first largest element. */
export const argmax = defineOp("numpy.Argmax", argReduce(P.argMax));
/** int32 position of the first smallest element. */
export const argmin = defineOp("numpy.Argmin", argReduce(P.argMin));
