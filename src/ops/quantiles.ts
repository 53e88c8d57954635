import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import type { ReduceOptions } from "./reductions.js";
import { axesOf, constant, productOf, toFloat } from "./support.js";

/** What lies between two elements: a value on the line through both, the lower, the higher, the middle or the nearer one. */
export type QuantileMethod = "linear" | "lower" | "higher" | "midpoint" | "nearest";
export interface QuantileOptions extends ReduceOptions {
  /** How to choose between two neighbouring values. */
  method?: QuantileMethod | undefined;
}

/** The reduced axes moved to one last axis. */
function gathered(t: Tensor, axes: readonly number[]): Tensor {
  const rest = t.shape.map((_, i) => i).filter((i) => !axes.includes(i));
  const moved = P.transpose(t, [...rest, ...axes]);
  return P.reshape(moved, [...rest.map((i) => t.shape[i]!), productOf(axes.map((i) => t.shape[i]!))]);
}

/** Quantiles of x at q (scalar or vector); a vector's axis leads the result. */
function quantiles(
  x: Tensor,
  q: Tensor,
  { axis = null, keepdims = false, method = "linear" }: QuantileOptions,
  ignoreNaN: boolean,
): Tensor {
  const axes = axesOf(axis, x.ndim);
  const rows = gathered(x, axes);
  const last = rows.ndim - 1;
  const sorted = P.sort(rows, last);
  const missing = P.notEqual(rows, rows);
  const n = rows.shape[last]!;
  const lead = rows.shape.slice(0, -1);
  // Positions of each q in each row: [..., number of q].
  const count = ignoreNaN
    ? P.sum(P.cast(P.logicalNot(missing), x.dtype), [last], true)
    : P.full([...lead, 1], n, x.dtype);
  const spread = [...lead, q.size];
  const top = P.broadcastTo(P.subtract(count, constant(1, count)), spread);
  const position = P.multiply(P.reshape(q, [...lead.map(() => 1), q.size]), top);
  const at = (index: Tensor): Tensor =>
    P.takeAlongAxis(sorted, P.cast(P.maximum(index, constant(0, index)), "int32"), last, "clip");
  const [below, above] = [P.floor(position), P.minimum(P.ceil(position), top)];
  let found = between(position, below, at, above, method);
  const undefinedRow = ignoreNaN ? P.equal(count, constant(0, count)) : P.any(missing, [last], true);
  found = P.select(undefinedRow, constant(NaN, found), found);
  const front = P.transpose(found, [last, ...lead.map((_, i) => i)]);
  const shape = keepdims ? x.shape.map((d, i) => (axes.includes(i) ? 1 : d)) : lead;
  return P.reshape(front, [...q.shape, ...shape]);
}
function between(
  position: Tensor,
  below: Tensor,
  at: (index: Tensor) => Tensor,
  above: Tensor,
  method: QuantileMethod,
): Tensor {
  switch (method) {
    case "lower":
      return at(below);
    case "higher":
      return at(above);
    case "nearest":
      // Half way, the lower one.
      return at(P.ceil(P.subtract(position, constant(0.5, position))));
    case "midpoint":
      return P.multiply(P.add(at(below), at(above)), constant(0.5, position));
    case "linear": {
      const weight = P.subtract(position, below);
      return P.add(P.multiply(at(below), P.subtract(constant(1, weight), weight)), P.multiply(at(above), weight));
    }
    default:
      throw new TypeError(
        `quantile: method must be one of linear, lower, higher, midpoint, nearest. Received: ${String(method)}.`,
      );
  }
}
const atFractions =
  (scale: number, ignoreNaN: boolean) =>
  (x: TensorLike, q: TensorLike, options: QuantileOptions = {}): Tensor => {
    const t = toFloat(x);
    const fractions = toTensor(q, t.dtype);
    if (fractions.ndim > 1)
      throw new RangeError(`quantile: q must be a scalar or a vector. Received shape [${fractions.shape}].`);
    return quantiles(t, scale === 1 ? fractions : P.divide(fractions, constant(scale, fractions)), options, ignoreNaN);
  };
/** Values below which the fraction `q` (in [0, 1]) of the elements lies. */
export const quantile = defineOp("numpy.Quantile", atFractions(1, false));
/** Quantiles with q in percent. */
export const percentile = defineOp("numpy.Percentile", atFractions(100, false));
/** Quantiles of the numbers that are not NaN. */
export const nanquantile = defineOp("numpy.Nanquantile", atFractions(1, true));
/** Percentiles of the numbers that are not NaN. */
export const nanpercentile = defineOp("numpy.Nanpercentile", atFractions(100, true));
const middle =
  (ignoreNaN: boolean) =>
  (x: TensorLike, options: ReduceOptions = {}): Tensor => {
    const t = toFloat(x);
    return quantiles(t, constant(0.5, t), { ...options, method: "midpoint" }, ignoreNaN);
  };
/** The middle value, or the mean of the two middle ones. */
export const median = defineOp("numpy.Median", middle(false));
/** Median of the numbers that are not NaN. */
export const nanmedian = defineOp("numpy.Nanmedian", middle(true));
