import { promoted, toTensor } from "../core/convert.js";
import { isUnsigned } from "../core/dtype.js";
import { readNow } from "../core/host.js";
import { isSpecMode } from "../core/interpreter.js";
import { NDArray } from "../core/ndarray.js";
import { defineOp } from "../core/op.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { axisOf, constant, productOf } from "./support.js";

/** int32 positions with negative ones counted from the end. */
function wrapped(indices: TensorLike, size: number): Tensor {
  const i = toTensor(indices);
  const t = P.cast(i, "int32");
  return isUnsigned(i.dtype) ? t : P.select(P.less(t, constant(0, t)), P.add(t, P.full([], size, "int32")), t);
}
/** Slices at the given positions of an axis (of the flattened tensor when null). Positions outside give NaN, or the extreme of integers. */
export const take = defineOp(
  "numpy.Take",
  (x: TensorLike, indices: TensorLike, { axis = null }: { axis?: number | null | undefined } = {}): Tensor => {
    const t = toTensor(x);
    const flat = axis === null ? P.reshape(t, [productOf(t.shape)]) : t;
    const at = axis === null ? 0 : axisOf(axis, t.ndim);
    return P.take(flat, wrapped(indices, flat.shape[at]!), at, "fill");
  },
);
/** Elements at given positions along an axis, one for each element of `indices`. */
export const takeAlongAxis = defineOp(
  "numpy.TakeAlongAxis",
  (x: TensorLike, indices: TensorLike, { axis = null }: { axis?: number | null | undefined } = {}): Tensor => {
    const t = toTensor(x);
    const i = toTensor(indices);
    if (axis === null) {
      if (i.ndim !== 1)
        throw new RangeError(
          `takeAlongAxis: without an axis, x is taken as a vector and indices must be one. Received shape [${i.shape}].`,
        );
      return P.takeAlongAxis(P.reshape(t, [productOf(t.shape)]), wrapped(i, productOf(t.shape)), 0, "fill");
    }
    if (t.ndim !== i.ndim)
      throw new RangeError(
        `takeAlongAxis: x and indices must have one rank. Received shapes [${t.shape}] and [${i.shape}].`,
      );
    const at = axisOf(axis, t.ndim);
    const common = P.broadcastShapes(
      t.shape.map((d, k) => (k === at ? 1 : d)),
      i.shape.map((d, k) => (k === at ? 1 : d)),
      "takeAlongAxis",
    );
    const spread = (v: Tensor): Tensor =>
      P.broadcastTo(
        v,
        common.map((d, k) => (k === at ? v.shape[at]! : d)),
      );
    return P.takeAlongAxis(spread(t), spread(wrapped(i, t.shape[at]!)), at, "fill");
  },
);
/** Elements of the first choice whose condition holds, else the default. */
export const select = defineOp(
  "numpy.Select",
  (
    condlist: readonly TensorLike[],
    choicelist: readonly TensorLike[],
    { default: otherwise = 0 }: { default?: TensorLike | undefined } = {},
  ): Tensor => {
    if (condlist.length !== choicelist.length || condlist.length === 0)
      throw new RangeError(
        `select: expected as many choices as conditions. Received: ${choicelist.length} and ${condlist.length}.`,
      );
    const values = promoted([...choicelist, otherwise]);
    const last = values.pop()!;
    return condlist.reduceRight<Tensor>(
      (rest, condition, i) => P.select(toTensor(condition, "bool"), values[i]!, rest),
      last,
    );
  },
);

interface SortOptions {
  axis?: number | null | undefined;
}
/** Elements in ascending order along an axis (of the flattened tensor when null); NaNs last. */
export const sort = defineOp("numpy.Sort", (x: TensorLike, { axis = -1 }: SortOptions = {}): Tensor => {
  const t = toTensor(x);
  return axis === null
    ? P.sort(P.reshape(t, [productOf(t.shape)]), 0)
    : t.ndim === 0
      ? t
      : P.sort(t, axisOf(axis, t.ndim));
});
/** Positions that sort an axis; equal elements keep their order. */
export const argsort = defineOp("numpy.Argsort", (x: TensorLike, { axis = -1 }: SortOptions = {}): Tensor => {
  const t = toTensor(x);
  if (t.ndim === 0) return P.full([1], 0, "int32");
  return axis === null ? P.argSort(P.reshape(t, [productOf(t.shape)]), 0) : P.argSort(t, axisOf(axis, t.ndim));
});
/** Positions that put the kth element of an axis in its sorted place, smaller ones before it in order. */
export const argpartition = defineOp(
  "numpy.Argpartition",
  (x: TensorLike, kth: number, { axis = -1 }: SortOptions = {}): Tensor => {
    const t = toTensor(x);
    const flat = axis === null ? P.reshape(t, [productOf(t.shape)]) : t;
    const at = axis === null ? 0 : axisOf(axis, t.ndim);
    const size = flat.shape[at]!;
    if (!Number.isInteger(kth)) throw new TypeError(`argpartition: kth must be an integer. Received: ${String(kth)}.`);
    if ((kth >= size || kth < -size) && !isSpecMode())
      throw new RangeError(`argpartition: kth ${kth} is out of bounds for an axis of size ${size}.`);
    return partitioned(flat, at, kth < 0 ? kth + size : kth);
  },
  { static: ["kth"] },
);
/** The kth + 1 smallest in order, then the others by position: JAX's arrangement. */
function partitioned(x: Tensor, axis: number, kth: number): Tensor {
  const rank = P.argSort(P.argSort(x, axis), axis);
  const number = (n: number): Tensor => P.full([], n, "int32");
  const position = P.broadcastTo(
    P.iota(
      x.shape.map((d, i) => (i === axis ? d : 1)),
      axis,
      "int32",
    ),
    x.shape,
  );
  const key = P.select(P.lessEqual(rank, number(kth)), rank, P.add(position, number(x.shape[axis]!)));
  return P.argSort(key, axis);
}
/** Positions at which values would be inserted into an ascending vector. */
export const searchsorted = defineOp(
  "numpy.SearchSorted",
  (
    sortedSequence: TensorLike,
    values: TensorLike,
    { side = "left" }: { side?: "left" | "right" | undefined } = {},
  ): Tensor => {
    const [sorted, v] = promoted([sortedSequence, values]) as [Tensor, Tensor];
    if (sorted.ndim !== 1)
      throw new RangeError(`searchsorted expects a vector to search in. Received shape [${sorted.shape}].`);
    if (side !== "left" && side !== "right")
      throw new TypeError(`searchsorted: side must be "left" or "right". Received: ${String(side)}.`);
    return P.searchSorted(sorted, v, side);
  },
);
/** Positions of true (non-zero) elements, one int32 vector for each axis. Their number depends on the values. */
export const nonzero = defineOp("numpy.Nonzero", (x: TensorLike): Tensor[] => {
  const t = toTensor(x);
  const host = readNow(t, "nonzero");
  const rank = Math.max(1, t.ndim);
  if (!host) return Array.from({ length: rank }, () => P.full([NaN], 0, "int32"));
  const shape = t.ndim === 0 ? [1] : t.shape;
  const values = host.numbers();
  const found: number[] = [];
  values.forEach((v, i) => v !== 0 && found.push(i));
  let step = productOf(shape);
  return shape.map((d) => {
    step /= d;
    const at = step;
    return fromHost(
      new NDArray(
        Int32Array.from(found, (i) => Math.floor(i / at) % d),
        [found.length],
        "int32",
      ),
    );
  });
});
/** The index along each axis that a position in the flattened tensor has. */
export const unravelIndex = defineOp(
  "numpy.UnravelIndex",
  (indices: TensorLike, shape: readonly number[]): Tensor[] => {
    const t = toTensor(indices);
    const total = productOf(shape);
    const positive = P.select(P.less(t, constant(0, t)), P.add(t, constant(total, t)), t);
    let rest = positive;
    const found = [...shape].reverse().map((d) => {
      const size = constant(d, rest);
      const index = P.remainder(rest, size);
      rest = P.divide(rest, size);
      return index;
    });
    return found.reverse();
  },
  { static: ["shape"] },
);
