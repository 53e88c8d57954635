import type { TensorSpec } from "../../core/dtype.js";
import { NDArray, sizeOf } from "../../core/ndarray.js";
import { laneValues } from "./lanes.js";
import { multiply } from "./math/complex.js";

/** Real and imaginary sums, interleaved, as a complex array. */
export const withParts = (sums: Float64Array, { shape }: TensorSpec): NDArray =>
  new NDArray(Float32Array.from(sums), shape, "complex64");

/** The products of complex numbers over `axes`. */
export function complexProduct(x: NDArray, axes: readonly number[], spec: TensorSpec): NDArray {
  const kept = x.shape.map((_, i) => i).filter((i) => !axes.includes(i));
  const order = [...kept, ...axes];
  const moved = x.transpose(order);
  const values = laneValues(moved);
  const count = sizeOf(axes.map((i) => x.shape[i]!));
  const out = new Float32Array(2 * sizeOf(spec.shape));
  const pair = new Float64Array(2);
  for (let k = 0; k < out.length / 2; k++) {
    pair[0] = 1;
    pair[1] = 0;
    for (let i = k * count; i < (k + 1) * count; i++) {
      multiply(pair[0]!, pair[1]!, values[2 * i]!, values[2 * i + 1]!, pair);
    }
    out.set(pair, 2 * k);
  }
  return new NDArray(out, spec.shape, "complex64");
}

/** Running products of complex numbers along `axis`. */
export function runningComplexProduct(x: NDArray, axis: number, reverse: boolean): NDArray {
  const values = laneValues(x);
  const out = new Float32Array(values.length);
  const count = x.shape[axis]!;
  const lines = sizeOf(x.shape.slice(axis + 1));
  const pair = new Float64Array(2);
  for (let line = 0; line < (count === 0 ? 0 : values.length / 2 / count); line++) {
    const start = Math.floor(line / lines) * count * lines + (line % lines);
    pair[0] = 1;
    pair[1] = 0;
    for (let i = 0; i < count; i++) {
      const at = 2 * (start + (reverse ? count - 1 - i : i) * lines);
      multiply(pair[0]!, pair[1]!, values[at]!, values[at + 1]!, pair);
      out.set(pair, at);
    }
  }
  return new NDArray(out, x.shape, "complex64");
}
