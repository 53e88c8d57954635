import { promoted, toTensor } from "../core/convert.js";
import { isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { softmax } from "./activation.js";
import { constant } from "./support.js";

export interface DotProductAttentionOptions {
  /** Added to the scores: broadcasts to [batch, heads, queries, keys]. */
  bias?: TensorLike | null | undefined;
  /** Which keys a query sees: broadcasts to [batch, heads, queries, keys]. */
  mask?: TensorLike | null | undefined;
  /** Factor of the scores; 1 / √size of a head when null. */
  scale?: number | null | undefined;
  /** Whether queries see only keys at their own and earlier positions. */
  isCausal?: boolean | undefined;
  /** Accepted for Keras's sake: engines choose their algorithm. */
  flashAttention?: boolean | null | undefined;
  /** Must be null: only TPUs know it. */
  attnLogitsSoftCap?: number | null | undefined;
}
/** What hides a score: low, but far from overflow in sums. */
const hidden = -0.7 * 3.4028234663852886e38;

/**
 * softmax(query · keyᵀ · scale + bias) · value for each head (Vaswani et al., 2017): query [batch, queries, heads, size], key and value
 * [batch, keys, key heads, size]. Several query heads may share one key head.
 */
export const dotProductAttention = defineOp(
  "nn.DotProductAttention",
  (
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    {
      bias = null,
      mask = null,
      scale = null,
      isCausal = false,
      attnLogitsSoftCap = null,
    }: DotProductAttentionOptions = {},
  ): Tensor => {
    if (attnLogitsSoftCap !== null)
      throw new TypeError("dotProductAttention: `attnLogitsSoftCap` works on TPUs only. Leave it null.");
    const [q, k, v] = promoted([query, key, value]) as [Tensor, Tensor, Tensor];
    for (const t of [q, k, v])
      if (t.ndim !== 4 || !isFloat(t.dtype))
        throw new RangeError(
          `dotProductAttention: query, key and value must be float tensors [batch, length, heads, size]. Received shape [${t.shape}] and dtype ${t.dtype}.`,
        );
    const [batch, queries, heads, size] = q.shape as [number, number, number, number];
    const [, keys, keyHeads] = k.shape as [number, number, number, number];
    if (heads % keyHeads > 0)
      throw new RangeError(
        `dotProductAttention: the ${heads} query heads cannot share ${keyHeads} key heads evenly. Received shapes [${q.shape}] and [${k.shape}].`,
      );
    const group = heads / keyHeads;
    const grouped = P.reshape(q, [batch, queries, keyHeads, group, size]);
    // [batch, key heads, queries, group, keys]
    const products = P.dot(grouped, k, {
      contract: [[4], [3]],
      batch: [
        [0, 2],
        [0, 2],
      ],
    });
    const scores = P.reshape(P.transpose(products, [0, 1, 3, 2, 4]), [batch, heads, queries, keys]);
    let logits = P.multiply(P.cast(scores, "float32"), P.full([], scale ?? 1 / Math.sqrt(size), "float32"));
    if (bias !== null) logits = P.add(logits, toTensor(bias, "float32"));
    const seen = visible(mask, isCausal ? [queries, keys] : null);
    if (seen) logits = P.select(seen, logits, constant(hidden, logits));
    const weights = P.cast(softmax(logits), q.dtype);
    const shared = P.reshape(weights, [batch, keyHeads, group, queries, keys]);
    // [batch, key heads, group, queries, size]
    const mixed = P.dot(shared, v, {
      contract: [[4], [1]],
      batch: [
        [0, 1],
        [0, 2],
      ],
    });
    return P.reshape(P.transpose(mixed, [0, 3, 1, 2, 4]), [batch, queries, heads, v.shape[3]!]);
  },
  { composite: true },
);

/** The mask, joined with the one that hides later keys; null when there is none. */
function visible(mask: TensorLike | null, causal: readonly [number, number] | null): Tensor | null {
  const given = mask === null ? null : toTensor(mask, "bool");
  if (!causal) return given;
  const earlier = P.greaterEqual(P.iota([causal[0], 1], 0, "int32"), P.iota([1, causal[1]], 1, "int32"));
  return given ? P.logicalAnd(given, earlier) : earlier;
}
