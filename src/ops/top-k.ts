import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { fromTheFront } from "./indices.js";
import { constant } from "./support.js";

interface TopKOptions {
  /** Accepted for Keras's sake: results are always sorted. */
  sorted?: boolean | undefined;
  /** Accepted for Keras's sake: of equal elements the first always comes first. */
  isStable?: boolean | undefined;
}
/** The `k` largest elements of the last axis, largest first, and their int32 positions. */
export const topK = defineOp(
  "math.TopK",
  (x: TensorLike, k: number, _: TopKOptions = {}): [values: Tensor, indices: Tensor] => {
    const t = toTensor(x);
    const size = t.shape.at(-1);
    if (size === undefined || !Number.isInteger(k) || k < 0 || k > size)
      throw new RangeError(
        `topK: k must be a whole number up to the size of the last axis. Received: ${k} for shape [${t.shape}].`,
      );
    const [values, indices] = P.topK(t, k);
    return [values, indices];
  },
  { static: ["k"] },
);

/** Whether fewer than `k` predictions [..., classes] exceed that of the target class [...]; false where that one is NaN. */
export const inTopK = defineOp(
  "math.InTopK",
  (targets: TensorLike, predictions: TensorLike, k: number): Tensor => {
    const scores = toTensor(predictions);
    const classes = toTensor(targets, "int32");
    const last = scores.ndim - 1;
    const at = fromTheFront(P.reshape(classes, [...classes.shape, 1]), scores.shape[last]!);
    const own = P.takeAlongAxis(scores, at, last, "fill");
    const known = P.select(P.equal(own, own), own, constant(-Infinity, own));
    const higher = P.sum(P.cast(P.greater(scores, known), "int32"), [last]);
    return P.less(higher, constant(k, higher));
  },
  { static: ["k"] },
);
