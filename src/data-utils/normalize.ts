import { isFloat } from "../core/dtype.js";
import { NDArray } from "../core/ndarray.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { normalize as normalizeTensor } from "../ops/normalization.js";
import { axisOf } from "../ops/support.js";

export interface NormalizeOptions {
  /** The axis of the vectors; the last when left out. */
  readonly axis?: number | undefined;
  /** Order of the norm: 2 when left out, `Infinity` for the largest magnitude. */
  readonly order?: number | undefined;
}

/** Vectors along `axis` divided by their norm; zero vectors stay. Host arrays give host arrays (float64 for integers), all else tensors. */
export function normalize(x: NDArray, options?: NormalizeOptions): NDArray;
export function normalize(x: Exclude<TensorLike, NDArray>, options?: NormalizeOptions): Tensor;
export function normalize(x: TensorLike, { axis = -1, order = 2 }: NormalizeOptions = {}): NDArray | Tensor {
  return x instanceof NDArray ? ofHost(x, axis, order) : normalizeTensor(x, { axis, order });
}

function ofHost(x: NDArray, axis: number, order: number): NDArray {
  const at = axisOf(axis, x.ndim);
  const inner = x.shape.slice(at + 1).reduce((n, d) => n * d, 1);
  const length = x.shape[at]!;
  const values = x.numbers();
  for (let start = 0; start < values.length; start++) {
    if (Math.floor(start / inner) % length !== 0) continue;
    const places = Array.from({ length }, (_, k) => start + k * inner);
    const norm = normOf(
      places.map((i) => Math.abs(values[i]!)),
      order,
    );
    if (norm !== 0) for (const i of places) values[i] = values[i]! / norm;
  }
  const out = new NDArray(values, x.shape, "float64");
  return isFloat(x.dtype) && x.dtype !== "float64" ? out.astype(x.dtype) : out;
}

function normOf(magnitudes: readonly number[], order: number): number {
  if (order === Infinity) return Math.max(...magnitudes);
  if (order === -Infinity) return Math.min(...magnitudes);
  if (order === 0) return magnitudes.filter((v) => v !== 0).length;
  return magnitudes.reduce((sum, v) => sum + v ** order, 0) ** (1 / order);
}
