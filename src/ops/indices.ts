import type { Tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";

/** Int32 indices of an axis of `dim` elements, with negative ones counted from the end. */
export function fromTheFront(indices: Tensor, dim: number): Tensor {
  const zero = P.full([], 0, "int32");
  return P.select(P.less(indices, zero), P.add(indices, P.full([], dim, "int32")), indices);
}
/** Vectors of indices [..., k] into the leading k axes of `shape`, with negative ones counted from the end. */
export function vectorsFromTheFront(indices: Tensor, shape: readonly number[]): Tensor {
  const last = indices.ndim - 1;
  const columns = Array.from({ length: indices.shape[last]! }, (_, i) =>
    fromTheFront(
      P.slice(
        indices,
        indices.shape.map((_, axis) => (axis === last ? i : 0)),
        indices.shape.map((d, axis) => (axis === last ? i + 1 : d)),
      ),
      shape[i] ?? NaN,
    ),
  );
  return columns.length === 0 ? indices : P.concatenate(columns, last);
}
