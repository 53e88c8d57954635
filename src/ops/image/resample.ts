import { type DType, isComplex } from "../../core/dtype.js";
import { isSpecMode } from "../../core/interpreter.js";
import { NDArray } from "../../core/ndarray.js";
import { fromHost, type Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { productOf } from "../support.js";
import { withGradient } from "../with-gradient.js";
import { type Band, type Interpolation, matrixOf, resizingBand, transposed } from "./band.js";

/** So many products of a matrix multiplication take the time of picking an element, weighing and adding it. */
const PRODUCTS_PER_PICK = 16;
/** Weights are repeated for each element behind the axis where these are fewer: the engine then sees long rows. */
const SHORT = 64;

/** `x` with `axis` resized to `size` samples, in the dtype of `x`. Integers only for "nearest". */
export function resizeAxis(
  x: Tensor,
  axis: number,
  size: number,
  interpolation: Interpolation,
  antialias = false,
): Tensor {
  if (isSpecMode()) return P.full(resized(x.shape, axis, size), 0, x.dtype);
  return applyBand(x, axis, resizingBand(x.shape[axis]!, size, interpolation, antialias));
}

/** `x` with `axis` replaced by what the band makes of it. */
function applyBand(x: Tensor, axis: number, band: Band): Tensor {
  return withGradient(
    "resample",
    [x],
    ([y]) => [pick(y!, axis, band)],
    ([g]) => [g ? applyBand(g, axis, transposed(band)) : null],
  )[0]!;
}

function pick(x: Tensor, axis: number, band: Band): Tensor {
  const { from, to, count, first, weights } = band;
  const select = (k: number): Tensor =>
    P.take(x, fromHost(new NDArray(k === 0 ? first : first.map((i) => i + k), [to], "int32")), axis, "clip");
  if (count === 1 && weights.every((w) => w === 1)) return select(0);
  const dtype: DType = isComplex(x.dtype) ? x.dtype : "float32";
  if (from < PRODUCTS_PER_PICK * count) return resample(x, axis, fromHost(matrixOf(band)));

  const shape = resized(x.shape, axis, to);
  const inner = productOf(shape.slice(axis + 1));
  const repeated = inner < SHORT ? inner : 1;
  const [rows, row] =
    repeated > 1 ? [[productOf(shape.slice(0, axis)), to * inner], [to * inner]] : [shape, [to, ...ones(shape, axis)]];
  let sum: Tensor | null = null;
  for (let k = 0; k < count; k++) {
    const own = weights.subarray(k * to, (k + 1) * to);
    const spread = Float32Array.from({ length: to * repeated }, (_, j) => own[Math.floor(j / repeated)]!);
    // Weights have the precision of the images, sums a better one.
    const weight = P.cast(P.cast(fromHost(new NDArray(spread, row, "float32")), x.dtype), dtype);
    const value = P.cast(P.reshape(select(k), rows), dtype);
    const part = P.multiply(value, weight);
    sum = sum ? P.add(sum, part) : part;
  }
  return P.cast(P.reshape(sum!, shape), x.dtype);
}
const resized = (shape: readonly number[], axis: number, size: number): number[] =>
  shape.map((d, i) => (i === axis ? size : d));
const ones = (shape: readonly number[], axis: number): number[] => shape.slice(axis + 1).map(() => 1);

/** `x` with `axis` replaced by what `weights` [old, new] make of it. */
export function resample(x: Tensor, axis: number, weights: Tensor): Tensor {
  const last = x.ndim - 1;
  const y = P.dot(x, P.cast(weights, x.dtype), { contract: [[axis], [0]], batch: [[], []] });
  const order = x.shape.map((_, i) => (i < axis ? i : i === axis ? last : i - 1));
  return P.transpose(y, order);
}
