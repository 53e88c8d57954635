import { toTensor } from "../core/convert.js";
import { isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { argmax, argmin, max, min, prod, type ReduceOptions, sum, variance } from "./reductions.js";
import { axesOf, constant, toFloat } from "./support.js";

const isNaNAt = (t: Tensor): Tensor => P.notEqual(t, t);
/** The tensor with NaN replaced by `value`; others as they are. */
const filled = (x: TensorLike, value: number): Tensor => {
  const t = toTensor(x);
  return isFloat(t.dtype) ? P.select(isNaNAt(t), constant(value, t), t) : t;
};
/** How many numbers that are not NaN each result is made of. */
const counts = (t: Tensor, { axis = null, keepdims = false }: ReduceOptions): Tensor =>
  P.sum(P.cast(P.equal(t, t), t.dtype), axesOf(axis, t.ndim), keepdims);

/** Sum that counts NaN as 0. */
export const nansum = defineOp("numpy.Nansum", (x: TensorLike, options: ReduceOptions = {}): Tensor =>
  sum(filled(x, 0), options),
);
/** Product that counts NaN as 1. */
export const nanprod = defineOp("numpy.Nanprod", (x: TensorLike, options: ReduceOptions = {}): Tensor =>
  prod(filled(x, 1), options),
);
/** Mean of the numbers that are not NaN. */
export const nanmean = defineOp("numpy.Nanmean", (x: TensorLike, options: ReduceOptions = {}): Tensor => {
  const t = toFloat(x);
  return P.divide(P.cast(sum(filled(t, 0), options), t.dtype), counts(t, options));
});
/** Population variance of the numbers that are not NaN. */
export const nanvar = defineOp("numpy.Nanvar", (x: TensorLike, options: ReduceOptions = {}): Tensor => {
  const t = toFloat(x);
  if (t.size === 0) return variance(t, options);
  const kept = { axis: options.axis ?? null, keepdims: true };
  const center = P.divide(sum(filled(t, 0), kept), counts(t, kept));
  const distance = P.select(isNaNAt(t), constant(0, t), P.subtract(t, center));
  return P.divide(sum(P.multiply(distance, distance), options), counts(t, options));
});
/** Population standard deviation of the numbers that are not NaN. */
export const nanstd = defineOp("numpy.Nanstd", (x: TensorLike, options: ReduceOptions = {}): Tensor =>
  P.sqrt(nanvar(x, options)),
);

const extreme =
  (fn: typeof max, ignored: number) =>
  (x: TensorLike, options: ReduceOptions = {}): Tensor => {
    const t = toTensor(x);
    if (!isFloat(t.dtype)) return fn(t, options);
    const found = fn(filled(t, ignored), options);
    const none = P.all(isNaNAt(t), axesOf(options.axis ?? null, t.ndim), options.keepdims ?? false);
    return P.select(none, constant(NaN, found), found);
  };
/** Largest number; NaN only where there is nothing else. */
export const nanmax = defineOp("numpy.Nanmax", extreme(max, -Infinity));
/** Smallest number; NaN only where there is nothing else. */
export const nanmin = defineOp("numpy.Nanmin", extreme(min, Infinity));

interface ArgOptions {
  axis?: number | null | undefined;
  keepdims?: boolean | undefined;
}
const position =
  (fn: typeof argmax, ignored: number) =>
  (x: TensorLike, options: ArgOptions = {}): Tensor => {
    const t = toTensor(x);
    if (!isFloat(t.dtype)) return fn(t, options);
    const found = fn(filled(t, ignored), options);
    const none = P.all(isNaNAt(t), axesOf(options.axis ?? null, t.ndim), options.keepdims ?? false);
    return P.select(none, constant(-1, found), found);
  };
/** Position of the largest number; -1 where all are NaN. */
export const nanargmax = defineOp("numpy.Nanargmax", position(argmax, -Infinity));
/** Position of the smallest number; -1 where all are NaN. */
export const nanargmin = defineOp("numpy.Nanargmin", position(argmin, Infinity));
