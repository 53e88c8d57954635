import type { DType, Shape } from "../../core/dtype.js";
import { sizeOf } from "../../core/ndarray.js";
import { type JaxArray, lax, numpy } from "./library.js";

/**
 * What lowerings are written in: ops of jax-js on traced arrays that borrow their arguments, as everything else in this
 * project does; jax-js consumes them. Nothing has to be freed: while a function is traced there is no memory behind an array.
 */
export type A = JaxArray;

const named = (dtype: DType): { dtype: never } => ({ dtype: dtype as never });

/** A traced constant without axes. jax-js writes such constants into its kernels. */
export const scalar = (value: number, dtype: DType): A =>
  // Attributes read from saved files may be boxed numbers.
  lax.stopGradient(numpy.full([], dtype === "bool" ? Number(value) !== 0 : Number(value), named(dtype)));
/** A constant of the dtype of `x`. */
export const like = (x: A, value: number): A => scalar(value, x.dtype as DType);

export const add = (x: A, y: A): A => x.ref.add(y.ref);
export const subtract = (x: A, y: A): A => x.ref.sub(y.ref);
export const multiply = (x: A, y: A): A => x.ref.mul(y.ref);
export const scale = (x: A, factor: number): A => multiply(x, like(x, factor));
export const plus = (x: A, term: number): A => add(x, like(x, term));
export const minimum = (x: A, y: A): A => numpy.minimum(x.ref, y.ref);
export const maximum = (x: A, y: A): A => numpy.maximum(x.ref, y.ref);
/** From so many elements on it pays to write something to memory, so that the rest of a computation runs on vectors. */
const MANY = 1 << 14;
/** jax-js has no vector instruction for it: what follows reads the values from memory instead of going one by one as well. */
export function reciprocal(x: A): A {
  const inverse = numpy.reciprocal(x.ref);
  return sizeOf(x.shape) < MANY ? inverse : written(inverse);
}
export const sqrt = (x: A): A => numpy.sqrt(x.ref);
export const floor = (x: A): A => numpy.floor(x.ref);
export const ceil = (x: A): A => numpy.ceil(x.ref);
export const rawExp = (x: A): A => numpy.exp(x.ref);
export const rawSin = (x: A): A => numpy.sin(x.ref);
export const rawCos = (x: A): A => numpy.cos(x.ref);
export const rawErf = (x: A): A => lax.erf(x.ref);
/** Truncating; traps when `y` has a zero and when the quotient overflows. */
export const rawIntegerDivide = (x: A, y: A): A => x.ref.div(y.ref);

export const equal = (x: A, y: A): A => x.ref.equal(y.ref);
export const notEqual = (x: A, y: A): A => x.ref.notEqual(y.ref);
export const less = (x: A, y: A): A => x.ref.less(y.ref);
export const lessEqual = (x: A, y: A): A => x.ref.lessEqual(y.ref);
const isBool = (x: A): boolean => (x.dtype as string) === "bool";
// Bools are multiplied and added: that has vector instructions in jax-js, and operations on bits have not.
export const and = (x: A, y: A): A => (isBool(x) ? multiply(x, y) : numpy.bitwiseAnd(x.ref, y.ref));
export const or = (x: A, y: A): A => (isBool(x) ? add(x, y) : numpy.bitwiseOr(x.ref, y.ref));
export const xor = (x: A, y: A): A => numpy.bitwiseXor(x.ref, y.ref);
/** By fewer than 32 bits. */
export const rawShiftLeft = (x: A, y: A): A => numpy.leftShift(x.ref, y.ref);
/** By fewer than 32 bits, filled with zeros. */
export const rawShiftRight = (x: A, y: A): A => numpy.rightShift(x.ref, y.ref);
export const where = (condition: A, x: A, y: A): A => numpy.where(condition.ref, x.ref, y.ref);
export const isNaN = (x: A): A => notEqual(x, x);
export const not = (x: A): A => notEqual(x, scalar(1, "bool"));

export const cast = (x: A, dtype: DType): A => ((x.dtype as string) === dtype ? x : x.ref.astype(dtype as never));
export const bitcast = (x: A, dtype: DType): A => ((x.dtype as string) === dtype ? x : x.ref.view(dtype as never));
/** The same values, where jax-js would otherwise add up the constants around them as if floats were real numbers. */
export const rounded = (x: A): A => maximum(x, x);
/**
 * The values of a computation, written to memory, where jax-js would otherwise repeat it for each use. It writes what is going to be
 * padded, and a margin that is cut off again costs nothing.
 */
export function written(x: A): A {
  const [first, ...rest] = x.shape;
  if (first === undefined) return x.ref.sum([]);
  const none = rest.map(() => 0);
  return slice(padZeros(x, [0, ...none], [1, ...none]), [0, ...none], x.shape);
}
/** The same for any values: those of a view, which jax-js would otherwise look up at each use, are copied. */
export const stored = (x: A): A => written(isBool(x) ? and(x, x) : rounded(x));

export const reshape = (x: A, shape: Shape): A => (sameShape(x.shape, shape) ? x : x.ref.reshape([...shape]));
export const transpose = (x: A, permutation: readonly number[]): A =>
  permutation.every((p, i) => p === i) ? x : x.ref.transpose([...permutation]);
export const broadcastTo = (x: A, shape: Shape): A =>
  sameShape(x.shape, shape) ? x : numpy.broadcastTo(x.ref, [...shape]);
export const reverse = (x: A, axes: readonly number[]): A => numpy.flip(x.ref, [...axes]);
/** Elements from `start` to before `limit` on every axis. */
export const slice = (x: A, start: readonly number[], limit: readonly number[]): A =>
  start.every((s, i) => s === 0 && limit[i] === x.shape[i])
    ? x
    : x.ref.slice(...start.map((s, i): [number, number] => [s, limit[i]!]));
/** Zeros around `x`. */
export const padZeros = (x: A, low: readonly number[], high: readonly number[]): A =>
  low.every((n, i) => n === 0 && high[i] === 0)
    ? x
    : numpy.pad(
        x.ref,
        low.map((n, i): [number, number] => [n, high[i]!]),
      );
export const concatenate = (xs: readonly A[], axis: number): A =>
  xs.length === 1
    ? xs[0]!
    : numpy.concatenate(
        xs.map((x) => x.ref),
        axis,
      );
/** Elements at positions given by one array for each leading axis; the arrays broadcast. */
export const at = (x: A, positions: readonly A[]): A => x.ref.slice(...positions.map((p) => p.ref));
/** Counts along one axis of `shape`, with size 1 on the others. */
export const count = (shape: Shape, axis: number): A =>
  numpy.arange(0, shape[axis]!, 1, named("int32")).reshape(shape.map((n, i) => (i === axis ? n : 1)));

export const sum = (x: A, axes: readonly number[], keepdims = false): A => x.ref.sum([...axes], { keepdims });
export const max = (x: A, axes: readonly number[], keepdims = false): A => x.ref.max([...axes], { keepdims });
export const min = (x: A, axes: readonly number[], keepdims = false): A => x.ref.min([...axes], { keepdims });
export const product = (x: A, axes: readonly number[], keepdims = false): A => x.ref.prod([...axes], { keepdims });
/**
 * Columns from which on it pays to copy the left operand of a product in order to append two rows. jax-js takes four rows at a time if it
 * can, for which there are too few registers: taking two is faster by a quarter.
 */
const WIDE = 128;
/** Multiplications from which on a product is worth any preparation. */
const LARGE = 1 << 20;

/** `x` and its leading entries again, `count` in all, from entry `from` on. */
export function repeated(x: A, count: number, from = 0): A {
  const [n, ...rest] = x.shape as [number, ...number[]];
  const times = Math.ceil((from + count) / n);
  const all = reshape(broadcastTo(reshape(x, [1, n, ...rest]), [times, n, ...rest]), [times * n, ...rest]);
  return slice(all, [from, ...rest.map(() => 0)], [from + count, ...rest]);
}

/**
 * Product of stacks of matrices [..., m, k] and [..., k, n]; a single matrix on the right serves the whole stack. `turned` says
 * that the right operand is the view of a transposed matrix.
 */
export function matmul(x: A, y: A, turned = false): A {
  const [m, k] = x.shape.slice(-2) as [number, number];
  const n = y.shape.at(-1)!;
  const none = y.shape.map(() => 0);
  // Rows of a number of columns that four does not divide take twenty times as long, and so do short columns of a view.
  const missing = -n & 3;
  if (missing > 0 && !(n === 1 && k % 4 === 0)) {
    const wide = numpy.matmul(x.ref, stored(padZeros(y, none, [...none.slice(1), missing])));
    return slice(
      wide,
      wide.shape.map(() => 0),
      wide.shape.map((d, i) => (i === wide.shape.length - 1 ? n : d)),
    );
  }
  const right = turned && k % 4 !== 0 ? stored(y) : y.ref;
  if (x.shape.length > 2 || turned || m % 4 !== 0 || n < WIDE || m * n * k < LARGE)
    return apart(numpy.matmul(x.ref, right));
  const more = numpy.matmul(stored(repeated(x, m + 2)), right);
  return slice(more, [0, 0], [m, n]);
}
/** Ends a product: what jax-js would compute together with it, it would compute element by element. */
export const apart = (x: A): A => (sizeOf(x.shape) < MANY ? x : reshape(reshape(x, [sizeOf(x.shape)]), x.shape));

const sameShape = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((d, i) => d === b[i]);
export { sizeOf };
