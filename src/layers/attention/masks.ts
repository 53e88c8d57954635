import { toTensor } from "../../core/convert.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { lowerMask } from "../../ops/creation.js";
import { logicalAnd, logicalNot } from "../../ops/logic.js";
import { expandDims } from "../../ops/shape.js";

/** Which steps count: true where they do. */
export interface StepMasks {
  /** [batch, queries]: outputs of other queries are of no interest. */
  readonly queryMask?: TensorLike | null | undefined;
  /** [batch, keys]. */
  readonly valueMask?: TensorLike | null | undefined;
  /** [batch, keys]. */
  readonly keyMask?: TensorLike | null | undefined;
  /** Which keys each query may see: broadcasts to [batch, queries, keys]. */
  readonly attentionMask?: TensorLike | null | undefined;
}

/** Whether a query may see a key, by their positions: keys up to its own. */
export const causalMask = (queries: number, keys: number): Tensor => lowerMask(queries, keys, 0);

/** Whether a query may see a key, by their positions: keys less than `size` steps away. */
export const slidingWindowMask = (queries: number, keys: number, size: number): Tensor =>
  logicalAnd(lowerMask(queries, keys, size - 1), logicalNot(lowerMask(queries, keys, -size)));

/** What all masks allow: broadcasts to [batch, queries, keys]. Null when there is no mask. */
export function joinMasks(
  { queryMask, valueMask, keyMask, attentionMask }: StepMasks,
  positional: readonly Tensor[],
): Tensor | null {
  const bool = (mask: TensorLike): Tensor => toTensor(mask, "bool");
  const given: Tensor[] = [...positional];
  if (queryMask) given.push(expandDims(bool(queryMask), -1));
  if (valueMask) given.push(expandDims(bool(valueMask), -2));
  if (keyMask) given.push(expandDims(bool(keyMask), -2));
  if (attentionMask) given.push(bool(attentionMask));
  return given.length === 0 ? null : given.reduce((all, mask) => logicalAnd(all, mask));
}

/** A mask with the axes it lacks put in front of its query and key axes, of which each side has `axes`. */
export function spreadMask(mask: Tensor, rank: number, axes: number): Tensor {
  let spread = mask;
  while (spread.ndim < rank) spread = expandDims(spread, -2 * axes - 1);
  return spread;
}
