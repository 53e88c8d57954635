import { resultType, toTensor } from "../core/convert.js";
import { type DType, isComplex, isFloat, standardizeDType } from "../core/dtype.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { full } from "../primitives/index.js";

export type Axis = number | readonly number[] | null;

/** `axis` counted from the front; throws when the tensor has no such axis. */
export function axisOf(axis: number, ndim: number): number {
  if (!Number.isInteger(axis) || axis < -ndim || axis >= ndim)
    throw new RangeError(`Axis ${axis} is out of bounds for a tensor of rank ${ndim}.`);
  return axis < 0 ? axis + ndim : axis;
}
/** The given axes (all when null), counted from the front, ascending; throws on repeated or missing ones. */
export function axesOf(axis: Axis | undefined, ndim: number): number[] {
  if (axis === null || axis === undefined) return Array.from({ length: ndim }, (_, i) => i);
  const axes = (typeof axis === "number" ? [axis] : [...axis]).map((a) => axisOf(a, ndim)).sort((a, b) => a - b);
  if (axes.some((a, i) => a === axes[i - 1])) throw new RangeError(`Axes must not repeat. Received: [${axes}].`);
  return axes;
}

/** The dtype of results that are never integers: that of float inputs, floatx for others. */
export const floatDType = (x: TensorLike): DType => {
  const dtype = resultType(x);
  return isFloat(dtype) || isComplex(dtype) ? dtype : floatx();
};
/** `x` as a float (or complex) tensor. */
export const toFloat = (x: TensorLike): Tensor => toTensor(x, floatDType(x));
/** A 0-d constant of the dtype of `like`. */
export const constant = (value: number, like: Tensor): Tensor => full([], value, like.dtype);
/** What users may give as dtype, checked; null when absent. */
export const givenDType = (dtype: string | null | undefined): DType | null =>
  dtype === null || dtype === undefined ? null : standardizeDType(dtype, floatx());
export const productOf = (dims: readonly number[]): number => dims.reduce((n, d) => n * d, 1);
