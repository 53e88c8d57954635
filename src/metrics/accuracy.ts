import { configure } from "../config/configure.js";
import { bool, type Config, float, int, type Options } from "../config/fields.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { toTensor } from "../core/convert.js";
import { squeezeOrExpandToSameRank } from "../losses/reduce.js";
import { cast } from "../ops/elementwise.js";
import { equal, greater } from "../ops/logic.js";
import { argmax } from "../ops/reductions.js";
import { floatx } from "../core/settings.js";
import { reshape, squeeze } from "../ops/shape.js";
import * as P from "../primitives/index.js";
import { functionMean } from "./function-mean.js";
import { MeanOfFunction } from "./mean.js";
import { type MetricOptions, named } from "./metric.js";

const hit = (x: Tensor): Tensor => cast(x, floatx());

/** 1 where prediction and target are equal. */
export function accuracy(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const p = toTensor(yPred);
  const [t, q] = squeezeOrExpandToSameRank(toTensor(yTrue, p.dtype), p);
  return hit(equal(t, q));
}
/** 1 where a probability lies on the target's side of the threshold. */
export function binaryAccuracy(
  yTrue: TensorLike,
  yPred: TensorLike,
  { threshold = 0.5 }: { threshold?: number } = {},
): Tensor {
  const [t, p] = squeezeOrExpandToSameRank(toTensor(yTrue), toTensor(yPred));
  const called = cast(greater(p, threshold), t.dtype);
  return hit(equal(t, called));
}
/** 1 where the most probable class is that of the one-hot target. */
export function categoricalAccuracy(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const t = argmax(toTensor(yTrue), { axis: -1 });
  return matches(t, toTensor(yPred));
}
/** 1 where the most probable class is the target. */
export function sparseCategoricalAccuracy(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const p = toTensor(yPred);
  let t = toTensor(yTrue);
  if (t.ndim === p.ndim && t.ndim > 0 && t.shape.at(-1) === 1) t = squeeze(t, { axis: -1 });
  return matches(t, p);
}
function matches(classes: Tensor, predictions: Tensor): Tensor {
  const best = argmax(predictions, { axis: -1 });
  return hit(equal(cast(classes, "int32"), best));
}
export interface TopKOptions {
  /** How many classes count as hit. */
  k?: number | undefined;
  /** Whether predictions are class indices, the most probable first, instead of scores. */
  fromSortedIds?: boolean | undefined;
}
/** 1 where the target is among the `k` most probable classes. */
export function sparseTopKCategoricalAccuracy(
  yTrue: TensorLike,
  yPred: TensorLike,
  { k = 5, fromSortedIds = false }: TopKOptions = {},
): Tensor {
  const p = toTensor(yPred);
  const t = toTensor(yTrue, fromSortedIds ? p.dtype : "int32");
  const rows = reshape(p, [-1, p.shape.at(-1)!]);
  const targets = P.reshape(t, [t.size, 1]);
  const hits = fromSortedIds ? amongFirst(targets, rows, k) : amongTop(targets, rows, k);
  return hit(P.reshape(hits, t.shape));
}
function amongFirst(targets: Tensor, ids: Tensor, k: number): Tensor {
  const first = P.slice(ids, [0, 0], [ids.shape[0]!, Math.min(k, ids.shape[1]!)]);
  return P.any(P.equal(first, targets), [1]);
}
function amongTop(targets: Tensor, scores: Tensor, k: number): Tensor {
  const zero = P.full([], 0, "int32");
  const inside = P.logicalAnd(P.greaterEqual(targets, zero), P.less(targets, P.full([], scores.shape[1]!, "int32")));
  const score = P.takeAlongAxis(scores, targets, 1, "clip");
  const better = P.sum(P.cast(P.greater(scores, score), "int32"), [1], true);
  return P.logicalAnd(P.logicalAnd(P.less(better, P.full([], k, "int32")), inside), P.isFinite(score));
}
/** 1 where the one-hot target is among the `k` most probable classes. */
export const topKCategoricalAccuracy = (yTrue: TensorLike, yPred: TensorLike, options: { k?: number } = {}): Tensor =>
  sparseTopKCategoricalAccuracy(argmax(toTensor(yTrue), { axis: -1 }), yPred, options);

/** How often predictions equal targets. */
export class Accuracy extends functionMean("Accuracy", "accuracy", "up", accuracy) {}
const binaryFields = { name: named("binary_accuracy"), threshold: float(0.5) };
/** How often probabilities lie on their target's side of the threshold. */
export class BinaryAccuracy extends configure(MeanOfFunction, "BinaryAccuracy", binaryFields) {
  constructor(options: MetricOptions & Options<typeof binaryFields> = {}) {
    super(options);
  }
  override get direction(): "up" {
    return "up";
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    return binaryAccuracy(yTrue, yPred, { threshold: this.threshold });
  }
}
/** How often the most probable class is that of the one-hot target. */
export class CategoricalAccuracy extends functionMean(
  "CategoricalAccuracy",
  "categorical_accuracy",
  "up",
  categoricalAccuracy,
) {}
/** How often the most probable class is the target. */
export class SparseCategoricalAccuracy extends functionMean(
  "SparseCategoricalAccuracy",
  "sparse_categorical_accuracy",
  "up",
  sparseCategoricalAccuracy,
) {}
const topKFields = { k: int(5, { min: 1 }) };
const sparseTopKFields = {
  ...topKFields,
  /** Whether predictions are class indices, the most probable first, instead of scores. */
  fromSortedIds: bool(false, { saved: false }),
};
/** How often the one-hot target is among the k most probable classes. */
export class TopKCategoricalAccuracy extends configure(MeanOfFunction, "TopKCategoricalAccuracy", {
  name: named("top_k_categorical_accuracy"),
  ...topKFields,
}) {
  constructor(options: MetricOptions & Options<typeof topKFields> = {}) {
    super(options);
  }
  override get direction(): "up" {
    return "up";
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    return topKCategoricalAccuracy(yTrue, yPred, { k: this.k });
  }
}
/** How often the target is among the k most probable classes. */
export class SparseTopKCategoricalAccuracy extends configure(MeanOfFunction, "SparseTopKCategoricalAccuracy", {
  name: named("sparse_top_k_categorical_accuracy"),
  ...sparseTopKFields,
}) {
  constructor(options: MetricOptions & Options<typeof sparseTopKFields> = {}) {
    super(options);
  }
  override get direction(): "up" {
    return "up";
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    return sparseTopKCategoricalAccuracy(yTrue, yPred, this);
  }
  override getConfig(): Config {
    const config = super.getConfig();
    return this.fromSortedIds ? { ...config, from_sorted_ids: true } : config;
  }
}
