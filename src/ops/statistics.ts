import { promoted, resultType, toTensor } from "../core/convert.js";
import { isComplex, isFloat } from "../core/dtype.js";
import { readNow } from "../core/host.js";
import { floatx } from "../core/settings.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { max, mean, min, type ReduceOptions, sum } from "./reductions.js";
import { type Axis, axesOf, axisOf, constant, productOf, toFloat } from "./support.js";

/** Largest element; NaN wins. */
export const amax = defineOp("numpy.Amax", (x: TensorLike, options: ReduceOptions = {}): Tensor => max(x, options));
/** Smallest element; NaN wins. */
export const amin = defineOp("numpy.Amin", (x: TensorLike, options: ReduceOptions = {}): Tensor => min(x, options));
/** Largest minus smallest element. */
export const ptp = defineOp("numpy.Ptp", (x: TensorLike, options: ReduceOptions = {}): Tensor =>
  P.subtract(max(x, options), min(x, options)),
);

/** log(Σ exp(x)), without leaving the range of floats. */
export const logsumexp = defineOp(
  "math.Logsumexp",
  (x: TensorLike, { axis = null, keepdims = false }: ReduceOptions = {}): Tensor => {
    const t = toFloat(x);
    const axes = axesOf(axis, t.ndim);
    const highest = P.max(t, axes, true);
    const shift = P.stopGradient(P.select(P.isFinite(highest), highest, constant(0, highest)));
    const total = P.log(P.sum(P.exp(P.subtract(t, shift)), axes, true));
    const result = P.add(total, shift);
    return keepdims
      ? result
      : P.reshape(
          result,
          t.shape.filter((_, i) => !axes.includes(i)),
        );
  },
);

/** Weighted mean; without weights the mean. */
export const average = defineOp(
  "numpy.Average",
  (
    x: TensorLike,
    { axis = null, weights = null }: { axis?: Axis | undefined; weights?: TensorLike | null | undefined } = {},
  ): Tensor => {
    if (weights === null) return mean(x, { axis });
    const dtype = resultType(x, weights);
    const [t, given] = promoted([x, weights], isFloat(dtype) ? dtype : floatx()) as [Tensor, Tensor];
    const axes = axesOf(axis, t.ndim);
    const fits =
      given.ndim === t.ndim
        ? broadcastable(given.shape, t.shape)
        : given.ndim === 1 && axes.length === 1 && broadcastable(given.shape, [t.shape[axes[0]!]!]);
    if (!fits)
      throw new RangeError(
        `average: weights of shape [${given.shape}] must have the shape of x [${t.shape}], or be a vector along the one axis averaged.`,
      );
    const aligned =
      given.ndim === t.ndim
        ? given
        : P.reshape(
            given,
            t.shape.map((d, i) => (axes.includes(i) ? d : 1)),
          );
    const spread = P.broadcastTo(aligned, t.shape);
    return P.divide(P.sum(P.multiply(t, spread), axes), P.sum(spread, axes));
  },
);

/** Whether sizes are equal, or unknown. */
const broadcastable = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((d, i) => d === b[i] || Number.isNaN(d) || Number.isNaN(b[i]!));

/** Pearson correlation of the rows of a matrix; a scalar for a single one. */
export const corrcoef = defineOp("numpy.Corrcoef", (x: TensorLike): Tensor => {
  const t = toFloat(x);
  if (t.ndim > 2) throw new RangeError(`corrcoef expects at most 2 axes. Received shape [${t.shape}].`);
  const rows = t.ndim < 2 ? P.reshape(t, [1, t.size]) : t;
  const centered = P.subtract(rows, mean(rows, { axis: 1, keepdims: true }));
  const covariance = P.divide(
    P.dot(centered, centered, { contract: [[1], [1]], batch: [[], []] }),
    constant(rows.shape[1]! - 1, rows),
  );
  const n = rows.shape[0]!;
  const diagonal = P.equal(P.iota([n, n], 0, "int32"), P.iota([n, n], 1, "int32"));
  const deviation = P.sqrt(P.sum(P.select(diagonal, covariance, constant(0, covariance)), [1]));
  const scaled = P.divide(P.divide(covariance, P.reshape(deviation, [n, 1])), deviation);
  const bounded = P.maximum(P.minimum(scaled, constant(1, scaled)), constant(-1, scaled));
  return n === 1 ? P.reshape(bounded, []) : bounded;
});

/** Sliding products of two vectors. */
export const correlate = defineOp(
  "numpy.Correlate",
  (
    x1: TensorLike,
    x2: TensorLike,
    { mode = "valid" }: { mode?: "valid" | "same" | "full" | undefined } = {},
  ): Tensor => {
    const [a, b] = promoted([x1, x2]) as [Tensor, Tensor];
    const target = a.dtype === "bfloat16" || a.dtype === "float16" ? a.dtype : "float32";
    let [x, y] = [P.cast(a, target), P.cast(b, target)];
    if (x.ndim !== 1 || y.ndim !== 1)
      throw new RangeError(`correlate expects vectors. Received shapes [${x.shape}] and [${y.shape}].`);
    const swapped = x.size < y.size;
    if (swapped) [x, y] = [y, x];
    const [n, k] = [x.size, y.size];
    const before = mode === "full" ? k - 1 : mode === "same" ? Math.floor(k / 2) : 0;
    const after = mode === "full" ? k - 1 : mode === "same" ? k - 1 - Math.floor(k / 2) : 0;
    const [low, high] = swapped && mode === "same" ? [after, before] : [before, after];
    const product = P.convolution(P.reshape(x, [1, n, 1]), P.reshape(y, [k, 1, 1]), {
      strides: [1],
      padding: [[low, high]],
      dilation: [1],
      groups: 1,
    });
    const line = P.reshape(product, [product.size]);
    return swapped ? P.reverse(line, [0]) : line;
  },
);

/** Area below the points (x, y) by the trapezoidal rule. */
export const trapezoid = defineOp(
  "numpy.Trapezoid",
  (
    y: TensorLike,
    {
      x = null,
      dx = 1,
      axis = -1,
    }: { x?: TensorLike | null | undefined; dx?: TensorLike | undefined; axis?: number | undefined } = {},
  ): Tensor => {
    const common = x === null ? resultType(y) : resultType(y, x);
    const t = toTensor(y, isFloat(common) || isComplex(common) ? common : floatx());
    const at = axisOf(axis, t.ndim);
    const part = (v: Tensor, i: number, from: number, to: number): Tensor =>
      P.slice(
        v,
        v.shape.map((_, k) => (k === i ? from : 0)),
        v.shape.map((d, k) => (k === i ? to : d)),
      );
    const n = t.shape[at]!;
    const heights = P.add(part(t, at, 1, n), part(t, at, 0, n - 1));
    if (x === null) return P.multiply(P.multiply(sum(heights, { axis: at }), constant(0.5, t)), toTensor(dx, t.dtype));
    const points = toTensor(x, t.dtype);
    const along = points.ndim === 1 ? 0 : at;
    const widths = P.subtract(part(points, along, 1, n), part(points, along, 0, n - 1));
    const aligned =
      points.ndim === 1
        ? P.reshape(
            widths,
            heights.shape.map((_, k) => (k === at ? n - 1 : 1)),
          )
        : widths;
    return P.multiply(sum(P.multiply(aligned, heights), { axis: at }), constant(0.5, t));
  },
);

/** NaN while shapes are inferred. */
const largestOf = (t: Tensor): number =>
  readNow(t, "bincount")
    ?.numbers()
    .reduce((a, b) => Math.max(a, b), -1) ?? NaN;

interface BincountOptions {
  weights?: TensorLike | null | undefined;
  /** Smallest number of bins. */
  minlength?: number | undefined;
  /** Accepted for Keras's sake; results are dense. */
  sparse?: boolean | undefined;
}
/** Counts (or sums of weights) of integers along the last axis, negative ones as 0. The number of bins depends on the values. */
export const bincount = defineOp(
  "numpy.Bincount",
  (x: TensorLike, { weights = null, minlength = 0 }: BincountOptions = {}): Tensor => {
    const t = toTensor(x, "int32");
    const bins = Math.max(minlength, t.size === 0 ? 0 : 1 + Math.max(0, largestOf(t)));
    const rows = t.ndim === 2 ? t.shape[0]! : 1;
    const flat = P.maximum(P.reshape(t, [t.size]), P.full([], 0, "int32"));
    const w = weights === null ? P.full([t.size], 1, "int32") : P.reshape(toTensor(weights), [t.size]);
    const offset =
      t.ndim === 2
        ? P.multiply(
            P.reshape(P.broadcastTo(P.iota([rows, 1], 0, "int32"), t.shape), [t.size]),
            P.full([], bins, "int32"),
          )
        : null;
    const at = P.reshape(offset ? P.add(flat, offset) : flat, [t.size, 1]);
    const counts = P.scatter(P.full([rows * bins], 0, w.dtype), at, w, "add");
    return t.ndim === 2 ? P.reshape(counts, [rows, bins]) : counts;
  },
);
/** Index of the bin each value falls into, for increasing bin edges. */
export const digitize = defineOp("numpy.Digitize", (x: TensorLike, bins: TensorLike): Tensor => {
  const [values, edges] = promoted([x, bins]) as [Tensor, Tensor];
  if (edges.ndim !== 1) throw new RangeError(`digitize: bins must be a vector. Received shape [${edges.shape}].`);
  return P.searchSorted(edges, values, "right");
});
/** Counts of values in equal bins over a range, and the bins' edges. */
export const histogram = defineOp(
  "numpy.Histogram",
  (
    x: TensorLike,
    {
      bins = 10,
      range = null,
    }: { bins?: number | undefined; range?: readonly [number, number] | null | undefined } = {},
  ): [Tensor, Tensor] => {
    if (!Number.isInteger(bins) || bins < 1)
      throw new TypeError(`histogram: bins must be a positive integer. Received: ${String(bins)}.`);
    if (range && range[0] > range[1]) throw new RangeError(`histogram: the range must ascend. Received: [${range}].`);
    const t = toFloat(x);
    if (t.ndim > 1) throw new RangeError(`histogram expects a vector or a scalar. Received shape [${t.shape}].`);
    const flat = P.reshape(t, [productOf(t.shape)]);
    const empty = flat.size === 0;
    const low = range ? constant(range[0], flat) : empty ? constant(0, flat) : P.min(flat, [0]);
    const high = range ? constant(range[1], flat) : empty ? constant(1, flat) : P.max(flat, [0]);
    const point = P.equal(low, high);
    const [from, to] = [
      P.select(point, P.subtract(low, constant(0.5, low)), low),
      P.select(point, P.add(high, constant(0.5, high)), high),
    ];
    const steps = P.divide(P.iota([bins + 1], 0, flat.dtype), constant(bins, flat));
    const edges = P.add(P.multiply(from, P.subtract(constant(1, steps), steps)), P.multiply(to, steps));
    const position = P.subtract(P.searchSorted(edges, flat, "right"), P.full([], 1, "int32"));
    const last = P.equal(flat, to);
    const bin = P.select(last, P.full([], bins - 1, "int32"), position);
    const inside = P.select(
      P.logicalAnd(P.greaterEqual(flat, from), P.lessEqual(flat, to)),
      bin,
      P.full([], -1, "int32"),
    );
    const counts = P.scatter(
      P.full([bins], 0, isFloat(t.dtype) ? t.dtype : "int32"),
      P.reshape(inside, [flat.size, 1]),
      P.full([flat.size], 1, t.dtype),
      "add",
    );
    return [counts, edges];
  },
);
