import { toTensor } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { abs, add, divide, maximum, multiply, square, subtract } from "../ops/arithmetic.js";
import * as ops from "../ops/crossentropy.js";
import { log } from "../ops/elementwise.js";
import { notEqual, where } from "../ops/logic.js";
import { mean } from "../ops/reductions.js";
import { toFloat } from "../ops/support.js";
import { epsilon } from "../core/settings.js";
import * as P from "../primitives/index.js";
import { aligned } from "./aligned.js";

const last = { axis: -1 };

/** Mean of squared differences over the last axis. */
export function meanSquaredError(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = aligned(yTrue, yPred);
  return mean(square(subtract(t, p)), last);
}
/** Mean of absolute differences over the last axis. */
export function meanAbsoluteError(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = aligned(yTrue, yPred);
  return mean(abs(subtract(t, p)), last);
}
/** 100 times the mean of absolute differences relative to the targets. */
export function meanAbsolutePercentageError(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = aligned(yTrue, yPred);
  return multiply(100, mean(abs(divide(subtract(t, p), maximum(abs(t), epsilon()))), last));
}
/** Mean of squared differences of log(1 + x) over the last axis. */
export function meanSquaredLogarithmicError(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = aligned(yTrue, yPred);
  const logged = (x: Tensor): Tensor => log(add(maximum(x, epsilon()), 1));
  return mean(square(subtract(logged(t), logged(p))), last);
}

export interface BinaryCrossentropyOptions {
  /** Whether predictions are logits instead of probabilities. */
  fromLogits?: boolean | undefined;
  /** Moves targets this far towards one half. */
  labelSmoothing?: number | undefined;
  /** Axis the mean is taken over. */
  axis?: number | undefined;
}
/** Crossentropy of independent yes/no targets, averaged over the last axis. */
export function binaryCrossentropy(
  yTrue: TensorLike,
  yPred: TensorLike,
  { fromLogits = false, labelSmoothing = 0, axis = -1 }: BinaryCrossentropyOptions = {},
): Tensor {
  const p = toFloat(yPred);
  const t = toTensor(yTrue, p.dtype);
  const smooth = labelSmoothing ? add(multiply(t, 1 - labelSmoothing), 0.5 * labelSmoothing) : t;
  return mean(ops.binaryCrossentropy(smooth, p, { fromLogits }), { axis });
}
export interface CategoricalCrossentropyOptions extends BinaryCrossentropyOptions {}
/** Crossentropy of one-hot targets over the class axis. */
export function categoricalCrossentropy(
  yTrue: TensorLike,
  yPred: TensorLike,
  { fromLogits = false, labelSmoothing = 0, axis = -1 }: CategoricalCrossentropyOptions = {},
): Tensor {
  const p = toFloat(yPred);
  const t = toTensor(yTrue, p.dtype);
  const smooth = labelSmoothing ? add(multiply(t, 1 - labelSmoothing), labelSmoothing / p.shape.at(axis)!) : t;
  return ops.categoricalCrossentropy(smooth, p, { fromLogits, axis });
}
export interface SparseCategoricalCrossentropyOptions {
  fromLogits?: boolean | undefined;
  /** A label whose entries have loss 0 and do not count in means. */
  ignoreClass?: number | null | undefined;
  axis?: number | undefined;
}
/** Crossentropy of class indices over the class axis. */
export function sparseCategoricalCrossentropy(
  yTrue: TensorLike,
  yPred: TensorLike,
  { fromLogits = false, ignoreClass = null, axis = -1 }: SparseCategoricalCrossentropyOptions = {},
): Tensor {
  const p = toFloat(yPred);
  let t = toTensor(yTrue);
  if (ignoreClass === null) return ops.sparseCategoricalCrossentropy(t, p, { fromLogits, axis });
  if (t.ndim === p.ndim && t.shape.at(-1) === 1) t = P.reshape(t, t.shape.slice(0, -1));
  const valid = notEqual(t, P.cast(P.full([], ignoreClass, "int32"), t.dtype));
  const losses = ops.sparseCategoricalCrossentropy(multiply(t, P.cast(valid, t.dtype)), p, { fromLogits, axis });
  const kept = where(valid, losses, P.full([], 0, losses.dtype));
  kept.kerasMask = valid;
  return kept;
}
