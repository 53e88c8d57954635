import { promoted, promotionInput } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";

/** Matrix product over the last two axes, by NumPy's rules: vectors are rows on the left and columns on the right, leading axes broadcast. */
export const matmul = defineOp("numpy.Matmul", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = factors(x1, x2);
  if (x.ndim === 0 || y.ndim === 0)
    throw new RangeError(`matmul: expected tensors with axes. Received shapes [${x.shape}] and [${y.shape}].`);
  const lastX = x.ndim - 1;
  if (y.ndim <= 2) return P.dot(x, y, { contract: [[lastX], [y.ndim === 1 ? 0 : y.ndim - 2]], batch: [[], []] });
  if (x.ndim === 1) return vectorTimesStack(x, y);
  const lead = P.broadcastShapes(x.shape.slice(0, -2), y.shape.slice(0, -2), "matmul");
  const spread = (t: Tensor): Tensor => P.broadcastTo(t, [...lead, ...t.shape.slice(-2)]);
  const axes = lead.map((_, i) => i);
  const rank = lead.length + 2;
  return P.dot(spread(x), spread(y), { contract: [[rank - 1], [rank - 2]], batch: [axes, axes] });
});

/** Both in their common dtype; products of int8 with int8 add up in int32. */
function factors(x1: TensorLike, x2: TensorLike): [Tensor, Tensor] {
  const pair = promoted([x1, x2]) as [Tensor, Tensor];
  const narrow = promotionInput(x1) === "int8" && promotionInput(x2) === "int8";
  return narrow ? (pair.map((t) => P.cast(t, "int32")) as [Tensor, Tensor]) : pair;
}
/** [k] · [..., k, n]. */
function vectorTimesStack(x: Tensor, y: Tensor): Tensor {
  return P.dot(y, x, { contract: [[y.ndim - 2], [0]], batch: [[], []] });
}
