import { promoted, toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import { isComplex } from "../core/dtype.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { axisOf, productOf } from "./support.js";

const pair = (x1: TensorLike, x2: TensorLike): [Tensor, Tensor] => promoted([x1, x2]) as [Tensor, Tensor];
/** Contracts; bools count as and-or. */
function contract(x: Tensor, y: Tensor, axes: readonly [readonly number[], readonly number[]]): Tensor {
  if (x.dtype !== "bool") return P.dot(x, y, { contract: axes, batch: [[], []] });
  return P.cast(P.dot(P.cast(x, "int32"), P.cast(y, "int32"), { contract: axes, batch: [[], []] }), "bool");
}
const times = (x: Tensor, y: Tensor): Tensor => (x.dtype === "bool" ? P.logicalAnd(x, y) : P.multiply(x, y));

/** Product of matrices, of vectors, or over the last axis of x1 and the second last of x2. */
export const dot = defineOp("numpy.Dot", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = pair(x1, x2);
  if (x.ndim === 0 || y.ndim === 0) return times(x, y);
  return contract(x, y, [[x.ndim - 1], [y.ndim === 1 ? 0 : y.ndim - 2]]);
});
/** Sums of products over the last axes of both. */
export const inner = defineOp("numpy.Inner", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = pair(x1, x2);
  if (x.ndim === 0 || y.ndim === 0) return times(x, y);
  return contract(x, y, [[x.ndim - 1], [y.ndim - 1]]);
});
/** All products of elements of two flattened tensors. */
export const outer = defineOp("numpy.Outer", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = pair(x1, x2);
  return times(P.reshape(x, [productOf(x.shape), 1]), P.reshape(y, [1, productOf(y.shape)]));
});
/** Sum of products of two flattened tensors; the first is conjugated. */
export const vdot = defineOp("numpy.Vdot", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = pair(x1, x2);
  const left = isComplex(x.dtype) ? P.conjugate(x) : x;
  return contract(P.reshape(left, [productOf(x.shape)]), P.reshape(y, [productOf(y.shape)]), [[0], [0]]);
});
/** Contraction over the last n axes of x1 and the first n of x2, or over the axes given for each. */
export const tensordot = defineOp(
  "numpy.Tensordot",
  (
    x1: TensorLike,
    x2: TensorLike,
    {
      axes = 2,
    }: { axes?: number | readonly [number | readonly number[], number | readonly number[]] | undefined } = {},
  ): Tensor => {
    const [x, y] = pair(x1, x2);
    const list = (a: number | readonly number[], t: Tensor): number[] =>
      (typeof a === "number" ? [a] : [...a]).map((i) => axisOf(i, t.ndim));
    if (typeof axes === "number") {
      if (axes > x.ndim || axes > y.ndim)
        throw new RangeError(`tensordot: cannot contract ${axes} axes of shapes [${x.shape}] and [${y.shape}].`);
      const count = Array.from({ length: axes }, (_, i) => i);
      return contract(x, y, [count.map((i) => x.ndim - axes + i), count]);
    }
    return contract(x, y, [list(axes[0], x), list(axes[1], y)]);
  },
);
/** Kronecker product. */
export const kron = defineOp("numpy.Kron", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = pair(x1, x2);
  const rank = Math.max(x.ndim, y.ndim);
  const grown = (t: Tensor): number[] => [...Array.from({ length: rank - t.ndim }, () => 1), ...t.shape];
  const [a, b] = [grown(x), grown(y)];
  const product = times(
    P.reshape(
      x,
      a.flatMap((d) => [d, 1]),
    ),
    P.reshape(
      y,
      b.flatMap((d) => [1, d]),
    ),
  );
  return P.reshape(
    product,
    a.map((d, i) => d * b[i]!),
  );
});
interface CrossOptions {
  axisa?: number | undefined;
  axisb?: number | undefined;
  axisc?: number | undefined;
  /** Overrides the other three. */
  axis?: number | null | undefined;
}
/** Vector product of vectors with 2 or 3 components. */
export const cross = defineOp(
  "numpy.Cross",
  (x1: TensorLike, x2: TensorLike, { axisa = -1, axisb = -1, axisc = -1, axis = null }: CrossOptions = {}): Tensor => {
    const [a, b] = pair(x1, x2);
    const parts = (t: Tensor, at: number): Tensor[] => {
      const i = axisOf(at, t.ndim);
      const n = t.shape[i]!;
      if (n !== 2 && n !== 3 && !Number.isNaN(n))
        throw new RangeError(`cross: vectors need 2 or 3 components. Received shape [${t.shape}].`);
      const rest = t.shape.filter((_, k) => k !== i);
      return Array.from({ length: Number.isNaN(n) ? 3 : n }, (_, c) =>
        P.reshape(
          P.slice(
            t,
            t.shape.map((_, k) => (k === i ? c : 0)),
            t.shape.map((d, k) => (k === i ? c + 1 : d)),
          ),
          rest,
        ),
      );
    };
    const [x, y] = [parts(a, axis ?? axisa), parts(b, axis ?? axisb)];
    const minor = (i: number, j: number): Tensor => {
      const product = (p: Tensor | undefined, q: Tensor | undefined): Tensor | null =>
        p && q ? P.multiply(p, q) : null;
      const [first, second] = [product(x[i], y[j]), product(x[j], y[i])];
      const zero = (): Tensor => P.full(P.broadcastShapes(x[0]!.shape, y[0]!.shape), 0, a.dtype);
      return first && second ? P.subtract(first, second) : (first ?? (second ? P.negative(second) : zero()));
    };
    if (x.length === 2 && y.length === 2) return minor(0, 1);
    const components = [minor(1, 2), minor(2, 0), minor(0, 1)];
    const at = axisOf(axis ?? axisc, components[0]!.ndim + 1);
    return P.concatenate(
      components.map((c) => P.reshape(c, [...c.shape.slice(0, at), 1, ...c.shape.slice(at)])),
      at,
    );
  },
);
/** Powers of a vector's elements as columns. */
export const vander = defineOp(
  "numpy.Vander",
  (
    x: TensorLike,
    { N = null, increasing = false }: { N?: number | null | undefined; increasing?: boolean | undefined } = {},
  ): Tensor => {
    const t = toTensor(x);
    if (t.ndim !== 1) throw new RangeError(`vander expects a vector. Received shape [${t.shape}].`);
    const count = N ?? t.size;
    if (Number.isNaN(count)) return P.full([t.size, count], 0, t.dtype);
    const column = P.reshape(t.dtype === "bool" ? P.cast(t, "int32") : t, [t.size, 1]);
    const powers = Array.from({ length: count }, () => column);
    let running: Tensor = P.full([t.size, 1], 1, column.dtype);
    const columns = powers.map((c) => {
      const now = running;
      running = P.multiply(running, c);
      return now;
    });
    if (columns.length === 0) return P.full([t.size, 0], 0, column.dtype);
    return P.concatenate(increasing ? columns : columns.reverse(), 1);
  },
);
