import { promoted } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { resultType } from "../core/convert.js";
import { isFloat } from "../core/dtype.js";
import { floatx } from "../core/settings.js";

/** Euclidean distances [..., m, n] between points x [..., m, d] and y [..., n, d]. */
export const cdist = defineOp("math.CDist", (x: TensorLike, y: TensorLike): Tensor => {
  const dtype = resultType(x, y);
  const [a, b] = promoted([x, y], isFloat(dtype) ? dtype : floatx()) as [Tensor, Tensor];
  if (a.ndim < 2 || b.ndim < 2 || a.shape.at(-1) !== b.shape.at(-1))
    throw new RangeError(
      `cdist expects points of shape [..., m, d] and [..., n, d]. Received shapes [${a.shape}] and [${b.shape}].`,
    );
  const rows = P.reshape(a, [...a.shape.slice(0, -1), 1, ...a.shape.slice(-1)]);
  const columns = P.reshape(b, [...b.shape.slice(0, -2), 1, ...b.shape.slice(-2)]);
  const difference = P.subtract(rows, columns);
  return P.sqrt(P.sum(P.multiply(difference, difference), [difference.ndim - 1]));
});
