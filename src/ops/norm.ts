import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { type Axis, axisOf, constant, toFloat } from "./support.js";

/** A vector norm's exponent (infinities included), or a matrix norm: "fro" (Frobenius), "nuc" (nuclear), ±1, ±2, ±Infinity. */
export type NormOrder = number | "fro" | "nuc";
export interface NormOptions {
  /** 2-norm of vectors and Frobenius norm of everything else when null. */
  ord?: NormOrder | null | undefined;
  /** One axis: vector norms. Two: matrix norms. Null: the whole tensor. */
  axis?: Axis | undefined;
  keepdims?: boolean | undefined;
}

const absoluteSquare = (t: Tensor): Tensor =>
  t.dtype === "complex64" ? P.real(P.multiply(t, P.conjugate(t))) : P.multiply(t, t);
const euclidean = (t: Tensor, axes: readonly number[], keepdims: boolean): Tensor =>
  P.sqrt(P.sum(absoluteSquare(t), axes, keepdims));

function vectorNorm(t: Tensor, ord: NormOrder | null, axis: number, keepdims: boolean): Tensor {
  switch (ord) {
    case null:
    case 2:
      return euclidean(t, [axis], keepdims);
    case Infinity:
      return P.max(P.abs(t), [axis], keepdims);
    case -Infinity:
      return P.min(P.abs(t), [axis], keepdims);
    case 0:
      return P.sum(P.cast(P.notEqual(t, constant(0, t)), t.dtype), [axis], keepdims);
    case 1:
      return P.sum(P.abs(t), [axis], keepdims);
    case "fro":
    case "nuc":
      throw new TypeError(`norm: ord "${ord}" is for matrices. Received one axis; give two, or a number as ord.`);
  }
  if (typeof ord !== "number") throw new TypeError(`norm: unknown ord ${JSON.stringify(ord)} for vectors.`);
  const size = P.abs(t);
  const total = P.sum(P.power(size, constant(ord, size)), [axis], keepdims);
  return P.power(total, constant(1 / ord, total));
}

function matrixNorm(
  t: Tensor,
  ord: NormOrder | null,
  [row, column]: readonly [number, number],
  keepdims: boolean,
): Tensor {
  const axes = [row, column].sort((a, b) => a - b);
  const restore = (y: Tensor): Tensor =>
    keepdims
      ? P.reshape(
          y,
          t.shape.map((d, i) => (axes.includes(i) ? 1 : d)),
        )
      : y;
  const sums = (summed: number, extreme: number, pick: typeof P.max): Tensor =>
    pick(P.sum(P.abs(t), [summed], true), [extreme], true);
  const squeeze = (y: Tensor): Tensor =>
    keepdims
      ? y
      : P.reshape(
          y,
          y.shape.filter((_, i) => !axes.includes(i)),
        );
  const singularValues = (): Tensor => {
    const rest = t.shape.map((_, i) => i).filter((i) => !axes.includes(i));
    return P.svd(P.transpose(t, [...rest, row, column]))[1];
  };
  const ofSingularValues = (reduce: typeof P.max): Tensor => {
    const s = singularValues();
    return restore(reduce(s, [s.ndim - 1]));
  };
  switch (ord) {
    case null:
    case "fro":
      return euclidean(t, axes, keepdims);
    case "nuc":
      return ofSingularValues(P.sum);
    case 2:
      return ofSingularValues(P.max);
    case -2:
      return ofSingularValues(P.min);
    case 1:
      return squeeze(sums(row, column, P.max));
    case -1:
      return squeeze(sums(row, column, P.min));
    case Infinity:
      return squeeze(sums(column, row, P.max));
    case -Infinity:
      return squeeze(sums(column, row, P.min));
  }
  throw new TypeError(
    `norm: ord of matrices must be "fro", "nuc", 1, -1, 2, -2, Infinity or -Infinity. Received: ${JSON.stringify(ord)}.`,
  );
}

/** Norms of vectors (one axis) or matrices (two axes). */
export const norm = defineOp(
  "linalg.Norm",
  (x: TensorLike, { ord = null, axis = null, keepdims = false }: NormOptions = {}): Tensor => {
    const t = toFloat(x);
    const all = t.shape.map((_, i) => i);
    if (axis === null && ord === null) return euclidean(t, all, keepdims);
    const axes = axis === null ? all : (typeof axis === "number" ? [axis] : axis).map((i) => axisOf(i, t.ndim));
    const [first, second] = axes;
    if (first !== undefined && axes.length === 1) return vectorNorm(t, ord, first, keepdims);
    if (first === undefined || second === undefined || axes.length > 2)
      throw new RangeError(
        `norm: ord ${String(ord)} needs one axis or two. Received axis ${axis === null ? "null" : `[${axes}]`} for shape [${t.shape}].`,
      );
    if (first === second) throw new RangeError(`norm: the two axes must differ. Received: [${axes}].`);
    return matrixNorm(t, ord, [first, second], keepdims);
  },
);
