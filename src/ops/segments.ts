import { toTensor } from "../core/convert.js";
import { type DType, isFloat, isUnsigned } from "../core/dtype.js";
import { AbstractTensor } from "../core/interpreter.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { scatterExtreme } from "./scatter.js";
import { constant } from "./support.js";
import { withGradient } from "./with-gradient.js";

interface SegmentOptions {
  /** Number of segments. Needed, except while shapes are inferred: the size of the result must not depend on values. */
  numSegments?: number | null | undefined;
  /** Whether ids ascend. Accepted for Keras's sake: results do not depend on it. */
  sorted?: boolean | undefined;
}
interface Segments {
  readonly data: Tensor;
  /** Ids as vectors of one index: [n, 1]. */
  readonly at: Tensor;
  readonly shape: readonly number[];
}

function segmentsOf(data: TensorLike, segmentIds: TensorLike, numSegments: number | null, name: string): Segments {
  const t = toTensor(data);
  const ids = toTensor(segmentIds, "int32");
  if (ids.ndim !== 1) throw new RangeError(`${name} expects segmentIds of one axis. Received shape [${ids.shape}].`);
  const [n] = t.shape;
  if (n === undefined || (n !== ids.shape[0] && !Number.isNaN(n) && !Number.isNaN(ids.shape[0])))
    throw new RangeError(
      `${name} expects one segment id for each of the ${n ?? 0} slices of data. Received ids of shape [${ids.shape}] for data of shape [${t.shape}].`,
    );
  if (numSegments === null && !(ids instanceof AbstractTensor))
    throw new TypeError(
      `${name} needs the option numSegments: the size of its result must not depend on values. Where segmentIds are at hand, it is one more than the largest.`,
    );
  return { data: t, at: P.reshape(ids, [...ids.shape, 1]), shape: [numSegments ?? NaN, ...t.shape.slice(1)] };
}

/** Sums of the slices of `data` with equal ids; ids outside 0 ... numSegments - 1 are dropped, empty segments are 0. */
export const segmentSum = defineOp(
  "math.SegmentSum",
  (data: TensorLike, segmentIds: TensorLike, { numSegments = null }: SegmentOptions = {}): Tensor => {
    const { data: t, at, shape } = segmentsOf(data, segmentIds, numSegments, "segmentSum");
    return P.scatter(P.full(shape, 0, t.dtype), at, t, "add");
  },
);

const lowest: Partial<Record<DType, number>> = { int8: -128, int16: -32768, int32: -(2 ** 31) };
const highest: Partial<Record<DType, number>> = {
  uint8: 255,
  uint16: 65535,
  uint32: 2 ** 32 - 1,
  int8: 127,
  int16: 32767,
  int32: 2 ** 31 - 1,
};
const identities = {
  max: (dtype: DType): number => (isFloat(dtype) ? -Infinity : isUnsigned(dtype) ? 0 : (lowest[dtype] ?? 0)),
  min: (dtype: DType): number => (isFloat(dtype) ? Infinity : (highest[dtype] ?? 1)),
};
const segmentExtreme =
  (mode: "max" | "min", name: string) =>
  (data: TensorLike, segmentIds: TensorLike, { numSegments = null }: SegmentOptions = {}): Tensor => {
    const { data: given, at, shape } = segmentsOf(data, segmentIds, numSegments, name);
    const t = given.dtype === "bool" ? P.cast(given, "uint8") : given;
    const start = P.full(shape, given.dtype === "bool" ? (mode === "max" ? 0 : 1) : identities[mode](t.dtype), t.dtype);
    return P.cast(scatterExtreme(start, at, t, mode), given.dtype);
  };
/** Largest elements of the slices of `data` with equal ids; empty segments are the lowest value of the dtype. */
export const segmentMax = defineOp("math.SegmentMax", segmentExtreme("max", "segmentMax"));
/** Smallest elements of the slices of `data` with equal ids; empty segments are the highest value of the dtype. */
export const segmentMin = defineOp("math.SegmentMin", segmentExtreme("min", "segmentMin"));

/** Products of the slices of `data` with equal ids; empty segments are 1. */
export const segmentProd = defineOp(
  "math.SegmentProd",
  (data: TensorLike, segmentIds: TensorLike, { numSegments = null }: SegmentOptions = {}): Tensor => {
    const { data: t, at, shape } = segmentsOf(data, segmentIds, numSegments, "segmentProd");
    const product = (x: Tensor): Tensor => P.scatter(P.full(shape, 1, x.dtype), at, x, "multiply");
    if (!isFloat(t.dtype)) return product(t);
    return withGradient(
      "segmentProd",
      [t],
      ([x]) => [product(x!)],
      ([g], { inputs: [x] }) => [P.multiply(P.gather(g!, at, "zero"), productOfOthers(x!, at, shape))],
    )[0]!;
  },
);

/** For each element the product of the others in its segment. Zeros are left out of the product and counted. */
function productOfOthers(x: Tensor, at: Tensor, shape: readonly number[]): Tensor {
  const [zero, one] = [constant(0, x), constant(1, x)];
  const isZero = P.equal(x, zero);
  const nonzero = P.select(isZero, one, x);
  const segmentProduct = withGradient(
    "segmentProd",
    [nonzero],
    ([v]) => [P.scatter(P.full(shape, 1, v!.dtype), at, v!, "multiply")],
    ([g], { inputs: [v], outputs: [y] }) => [P.divide(P.gather(P.multiply(g!, y!), at, "zero"), v!)],
  )[0]!;
  const zeros = P.scatter(P.full(shape, 0, x.dtype), at, P.cast(isZero, x.dtype), "add");
  const otherZeros = P.subtract(P.gather(zeros, at, "zero"), P.cast(isZero, x.dtype));
  const others = P.divide(P.gather(segmentProduct, at, "zero"), nonzero);
  return P.select(P.equal(otherZeros, zero), others, zero);
}
