import { promoted } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { axisOf, productOf } from "./support.js";

/** Tensors joined along an axis; flattened ones when it is null. */
export function joined(xs: readonly TensorLike[], axis: number | null): Tensor {
  const tensors = promoted(xs);
  if (axis !== null) return P.concatenate(tensors, axisOf(axis, tensors[0]!.ndim));
  return P.concatenate(
    tensors.map((t) => P.reshape(t, [productOf(t.shape)])),
    0,
  );
}
