import { promoted, toTensor } from "../core/convert.js";
import { type DType, isComplex } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import { epsilon as fuzz } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { type Axis, axesOf, axisOf, constant, productOf, toFloat } from "./support.js";

/** x scaled to length 1 along `axis`; squares below 1e-12 count as 1e-12. */
export function l2Normalize(x: Tensor, axis: number): Tensor {
  const squares = P.sum(P.multiply(x, x), [axisOf(axis, x.ndim)], true);
  return P.multiply(x, P.rsqrt(P.maximum(squares, constant(1e-12, squares))));
}

const keptShape = (x: Tensor, axes: readonly number[]): number[] =>
  x.shape.map((dim, i) => (axes.includes(i) ? 1 : dim));
/** Mean over axes, which stay with size 1. */
const meanOver = (x: Tensor, axes: readonly number[]): Tensor =>
  P.divide(P.sum(x, axes, true), constant(productOf(axes.map((i) => x.shape[i]!)), x));
/** Half-precision floats as float32, where sums stay in range. */
const widened = (x: Tensor): Tensor => (x.dtype === "float16" || x.dtype === "bfloat16" ? P.cast(x, "float32") : x);

const largestHalf = 65504;
/** A statistic in a half-precision dtype again, limited to what float16 holds. */
const narrowed = (x: Tensor, dtype: DType): Tensor =>
  x.dtype === dtype ? x : P.cast(P.minimum(P.maximum(x, constant(-largestHalf, x)), constant(largestHalf, x)), dtype);

export interface MomentsOptions {
  /** Whether reduced axes stay with size 1. */
  keepdims?: boolean | undefined;
  /** Whether statistics are those of all replicas; with one there is no difference. */
  synchronized?: boolean | undefined;
}
/** Mean and population variance over `axes`. */
export const moments = defineOp(
  "nn.Moments",
  (x: TensorLike, axes: number | readonly number[], { keepdims = false }: MomentsOptions = {}): [Tensor, Tensor] => {
    const given = toFloat(x);
    const t = widened(given);
    const over = axesOf(axes, t.ndim);
    const mean = meanOver(t, over);
    const centered = P.subtract(t, mean);
    const squares = isComplex(t.dtype)
      ? P.real(P.multiply(centered, P.conjugate(centered)))
      : P.multiply(centered, centered);
    return [mean, meanOver(squares, over)].map((y) => {
      const shaped = keepdims
        ? y
        : P.reshape(
            y,
            t.shape.filter((_, i) => !over.includes(i)),
          );
      return narrowed(shaped, given.dtype);
    }) as [Tensor, Tensor];
  },
  {
    static: ["axes"],
    gradient: ([gMean, gVariance], { inputs: [given], outputs: [mean], args: [, axes] }) => {
      const x = widened(given!);
      const over = axesOf(axes as Axis, x.ndim);
      const kept = keptShape(x, over);
      const count = constant(productOf(over.map((i) => x.shape[i]!)), x);
      const spread = (g: Tensor): Tensor => P.divide(P.reshape(P.cast(g, x.dtype), kept), count);
      let total: Tensor | null = gMean ? P.broadcastTo(spread(gMean), x.shape) : null;
      if (gVariance) {
        const center = given === x ? P.reshape(mean!, kept) : meanOver(x, over);
        const slope = P.multiply(P.multiply(P.subtract(x, center), constant(2, x)), spread(gVariance));
        total = total ? P.add(total, slope) : slope;
      }
      return [total && P.cast(total, given!.dtype)];
    },
  },
);

export interface BatchNormalizationOptions {
  /** Added at the end: a vector over the axis. */
  offset?: TensorLike | null | undefined;
  /** Factor: a vector over the axis. */
  scale?: TensorLike | null | undefined;
  epsilon?: number | undefined;
}
/** (x - mean) / √(variance + epsilon) · scale + offset, with vectors over `axis`. */
export const batchNormalization = defineOp(
  "nn.BatchNorm",
  (
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    axis: number,
    { offset = null, scale = null, epsilon = 1e-3 }: BatchNormalizationOptions = {},
  ): Tensor => {
    const t = toFloat(x);
    const at = axisOf(axis, t.ndim);
    const shape = t.shape.map((dim, i) => (i === at ? dim : 1));
    const along = (name: string, vector: TensorLike): Tensor => {
      const v = toTensor(vector);
      const size = t.shape[at]!;
      if (v.ndim !== 1 || (v.shape[0] !== size && !Number.isNaN(v.shape[0]) && !Number.isNaN(size)))
        throw new RangeError(
          `batchNormalization: \`${name}\` must be a vector of length ${size}, the size of axis ${axis} of [${t.shape}]. Received shape [${v.shape}].`,
        );
      return P.reshape(v, shape);
    };
    const spread = along("variance", variance);
    let inverse = P.rsqrt(P.add(spread, constant(epsilon, spread)));
    if (scale !== null) inverse = product(inverse, along("scale", scale));
    const shift = P.negative(product(along("mean", mean), inverse));
    const rest = offset === null ? shift : sum(shift, along("offset", offset));
    return sum(product(t, inverse), rest);
  },
  { static: ["axis"], composite: true },
);
const both =
  (fn: (x: Tensor, y: Tensor) => Tensor) =>
  (x: Tensor, y: Tensor): Tensor =>
    fn(...(promoted([x, y]) as [Tensor, Tensor]));
const product = both(P.multiply);
const sum = both(P.add);

export interface LayerNormalizationOptions {
  /** Factor over the normalized axes. */
  gamma?: TensorLike | null | undefined;
  /** Added at the end, over the normalized axes. */
  beta?: TensorLike | null | undefined;
  axis?: number | readonly number[] | undefined;
  /** Added to the variance; the default fuzz factor when null. */
  epsilon?: number | null | undefined;
  /** Whether only to divide by the standard deviation. Kept for old models. */
  rmsScaling?: boolean | undefined;
}
/** A parameter over the normalized axes, ready to meet the inputs. */
function overAxes(x: Tensor, parameter: TensorLike, axes: readonly number[]): Tensor {
  const p = toTensor(parameter, x.dtype);
  const onlyLast = axes.length === 1 && axes[0] === x.ndim - 1;
  if (p.ndim === x.ndim || onlyLast) return p;
  return P.reshape(
    p,
    x.shape.map((dim, i) => (axes.includes(i) ? dim : 1)),
  );
}
/** (x - mean) / √(variance + epsilon) over the given axes, times gamma plus beta (Ba et al., 2016). */
export const layerNormalization = defineOp(
  "nn.LayerNorm",
  (
    x: TensorLike,
    { gamma = null, beta = null, axis = -1, epsilon = null, rmsScaling = false }: LayerNormalizationOptions = {},
  ): Tensor => {
    const given = toTensor(x);
    const t = wide(given);
    const axes = axesOf(axis, t.ndim);
    const [mean, variance] = moments(t, axes, { keepdims: true });
    let y = P.multiply(
      rmsScaling ? t : P.subtract(t, mean),
      P.rsqrt(P.add(variance, constant(epsilon ?? fuzz(), variance))),
    );
    if (gamma !== null) y = P.multiply(y, overAxes(t, gamma, axes));
    if (beta !== null && !rmsScaling) y = P.add(y, overAxes(t, beta, axes));
    return P.cast(y, given.dtype);
  },
  { composite: true },
);
/** At least float32, in which half-precision inputs are normalized. */
const wide = (x: Tensor): Tensor => (isComplex(x.dtype) ? x : P.cast(x, "float32"));

export interface RmsNormalizationOptions {
  /** Factor over the normalized axes. */
  scale?: TensorLike | null | undefined;
  axis?: number | readonly number[] | undefined;
  /** Added to the mean of squares; the default fuzz factor when null. */
  epsilon?: number | null | undefined;
}
/** x / √(mean of squares + epsilon) over the given axes, times scale (Zhang and Sennrich, 2019). */
export const rmsNormalization = defineOp(
  "nn.RMSNorm",
  (x: TensorLike, { scale = null, axis = -1, epsilon = null }: RmsNormalizationOptions = {}): Tensor => {
    const given = toTensor(x);
    const converted = wide(given);
    const t = converted.ndim === 0 ? P.reshape(converted, [1]) : converted;
    const squares = meanOver(P.multiply(t, t), axesOf(axis, t.ndim));
    const y = P.multiply(t, P.rsqrt(P.add(squares, constant(epsilon ?? fuzz(), squares))));
    return P.cast(scale === null ? y : P.multiply(y, toTensor(scale, t.dtype)), given.dtype);
  },
  { composite: true },
);

export interface NormalizeOptions {
  axis?: Axis | undefined;
  /** Which norm: 1, 2, ... */
  order?: number | undefined;
  /** Smallest divisor; the default fuzz factor when null. */
  epsilon?: number | null | undefined;
}
/** x divided by its norm along `axis`. */
export const normalize = defineOp(
  "nn.Normalize",
  (x: TensorLike, { axis = -1, order = 2, epsilon = null }: NormalizeOptions = {}): Tensor => {
    if (!Number.isInteger(order) || order < 1)
      throw new TypeError(`normalize: \`order\` must be an integer >= 1. Received: ${order}.`);
    const given = toFloat(x);
    const t = given.ndim === 0 ? P.reshape(given, [1]) : given;
    const axes = axesOf(axis, t.ndim);
    const least = epsilon ?? fuzz();
    if (order === 2) {
      const inverse = P.rsqrt(P.sum(P.multiply(t, t), axes, true));
      return P.multiply(t, P.minimum(inverse, constant(1 / least, t)));
    }
    const size = P.abs(t);
    const norm =
      order === 1
        ? P.sum(size, axes, true)
        : P.power(P.sum(P.power(size, constant(order, t)), axes, true), constant(1 / order, t));
    return P.divide(t, P.maximum(norm, constant(least, t)));
  },
);
