import { toTensor } from "../core/convert.js";
import type { DType } from "../core/dtype.js";
import { isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { type Axis, axesOf, axisOf, constant, givenDType, productOf } from "./support.js";

interface CumulativeOptions {
  /** The axis to run along, or several, one after another; the flattened tensor when null. */
  axis?: Axis | undefined;
  dtype?: string | null | undefined;
}
type Cumulative = typeof P.cumulativeSum;
const running =
  (fn: Cumulative, nanAs: number | null) =>
  (x: TensorLike, { axis = null, dtype = null }: CumulativeOptions = {}): Tensor => {
    const given = toTensor(x);
    const target: DType = givenDType(dtype) ?? (given.dtype === "bool" ? "int32" : given.dtype);
    const filled =
      nanAs !== null && isFloat(given.dtype)
        ? P.select(P.notEqual(given, given), constant(nanAs, given), given)
        : given;
    const t = P.cast(filled, target);
    if (axis === null) return fn(P.reshape(t, [productOf(t.shape)]), 0);
    return axesOf(axis, t.ndim).reduce((y, at) => fn(y, at), t);
  };
/** Running sum. */
export const cumsum = defineOp("numpy.Cumsum", running(P.cumulativeSum, null));
/** Running product. */
export const cumprod = defineOp("numpy.Cumprod", running(P.cumulativeProduct, null));
/** Running sum that counts NaN as 0. */
export const nancumsum = defineOp("numpy.Nancumsum", running(P.cumulativeSum, 0));
/** Running product that counts NaN as 1. */
export const nancumprod = defineOp("numpy.Nancumprod", running(P.cumulativeProduct, 1));

/** Differences of neighbours along `axis`, taken `n` times. */
export const diff = defineOp(
  "numpy.Diff",
  (a: TensorLike, { n = 1, axis = -1 }: { n?: number | undefined; axis?: number | undefined } = {}): Tensor => {
    let t = toTensor(a);
    const at = axisOf(axis, t.ndim);
    for (let i = 0; i < n; i++) {
      const size = Math.max(1, t.shape[at]!);
      const upper = P.slice(
        t,
        t.shape.map((_, k) => (k === at ? 1 : 0)),
        t.shape.map((d, k) => (k === at ? size : d)),
      );
      const lower = P.slice(
        t,
        t.shape.map(() => 0),
        t.shape.map((d, k) => (k === at ? size - 1 : d)),
      );
      t = t.dtype === "bool" ? P.logicalXor(upper, lower) : P.subtract(upper, lower);
    }
    return t;
  },
);
