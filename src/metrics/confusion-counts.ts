import { toTensor } from "../core/convert.js";
import { NDArray } from "../core/ndarray.js";
import { epsilon, floatx } from "../core/settings.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import { squeezeOrExpandToSameRank } from "../losses/reduce.js";
import { add, clip, maximum, multiply, subtract } from "../ops/arithmetic.js";
import { oneHot } from "../ops/crossentropy.js";
import { cast, ceil } from "../ops/elementwise.js";
import { greater, where } from "../ops/logic.js";
import { sum } from "../ops/reductions.js";
import { broadcastTo, expandDims, reshape } from "../ops/shape.js";
import * as P from "../primitives/index.js";

/** Weighted numbers of hits and misses, one for each threshold (and label, when labels are kept apart). */
export interface ConfusionCounts {
  readonly truePositives: Tensor;
  readonly falsePositives: Tensor;
  readonly trueNegatives: Tensor;
  readonly falseNegatives: Tensor;
}
export interface ConfusionOptions {
  readonly thresholds: readonly number[];
  readonly sampleWeight?: TensorLike | null;
  /** Counts only the `topK` largest predictions of each sample. */
  readonly topK?: number | null;
  /** Counts only one class. */
  readonly classId?: number | null;
  /** Whether each label has counts of its own. */
  readonly multiLabel?: boolean;
  /** Weights of the labels, where they share counts. */
  readonly labelWeights?: Tensor | null;
}

/** Below every prediction: what those outside the `topK` count as, and the threshold that lets all others through. */
export const lowestPrediction = -1e10;

/** Whether thresholds lie at i / (n - 1), but for a little at the ends: then predictions can be sorted into bins. */
function areEven(thresholds: readonly number[]): boolean {
  const last = thresholds.length - 1;
  if (last < 2) return false;
  return thresholds.every((value, i) => Math.abs(value - i / last) <= 2 * epsilon() + 1e-5 * Math.abs(i / last));
}

/** Counts predictions above each threshold against targets that are zero or not, in floatx as the counts are kept. */
export function confusionCounts(yTrue: TensorLike, yPred: TensorLike, options: ConfusionOptions): ConfusionCounts {
  const dtype = floatx();
  const { thresholds, sampleWeight = null, topK = null, classId = null, multiLabel = false } = options;
  let [p, t] = squeezeOrExpandToSameRank(toTensor(yPred, dtype), toTensor(yTrue, dtype));
  let weight = sampleWeight === null ? null : expandDims(toTensor(sampleWeight, dtype), -1);
  if (weight) [, weight] = squeezeOrExpandToSameRank(t, weight, false);
  if (topK !== null) p = onlyTop(p, topK);
  if (classId !== null) [t, p] = [column(t, classId), column(p, classId)];
  let weights = weight ? broadcastTo(weight, p.shape) : P.full(p.shape, 1, dtype);
  if (options.labelWeights) weights = multiply(weights, options.labelWeights);

  const labels = multiLabel ? p.shape.at(-1)! : 1;
  const table = (x: Tensor): Tensor => reshape(x, [x.size / labels, labels]);
  const positive = table(cast(cast(t, "bool"), dtype));
  const spread = table(weights);
  const yes = multiply(positive, spread);
  const no = multiply(subtract(1, positive), spread);
  const count = areEven(thresholds) ? countInBins : countByComparing;
  const [truePositives, falsePositives] = count(table(p), thresholds, [yes, no]) as [Tensor, Tensor];
  const shape = multiLabel ? [thresholds.length, labels] : [thresholds.length];
  return {
    truePositives: reshape(truePositives, shape),
    falsePositives: reshape(falsePositives, shape),
    trueNegatives: reshape(subtract(sum(no, { axis: 0, keepdims: true }), falsePositives), shape),
    falseNegatives: reshape(subtract(sum(yes, { axis: 0, keepdims: true }), truePositives), shape),
  };
}

/** For every threshold, the sums of `weights` where a prediction is above it: [thresholds, labels]. */
function countByComparing(p: Tensor, thresholds: readonly number[], weights: readonly Tensor[]): Tensor[] {
  const limits = P.cast(fromHost(NDArray.from(Float32Array.from(thresholds))), p.dtype);
  const above = greater(expandDims(p, 0), reshape(limits, [thresholds.length, 1, 1]));
  return weights.map((weight) => sum(where(above, expandDims(weight, 0), 0), { axis: 1 }));
}
/** The same for even thresholds, by adding weights up in bins. */
function countInBins(p: Tensor, thresholds: readonly number[], weights: readonly Tensor[]): Tensor[] {
  const [samples, labels] = p.shape as [number, number];
  const bins = subtract(ceil(multiply(clip(p, 0, 1), thresholds.length - 1)), 1);
  // A first threshold below 0 lets a prediction of 0 through.
  const row = cast(thresholds[0]! < 0 ? maximum(bins, 0) : bins, "int32");
  const place = P.concatenate([expandDims(row, -1), expandDims(P.iota([samples, labels], 1, "int32"), -1)], 2);
  return weights.map((weight) => {
    const empty = P.full([thresholds.length, labels], 0, weight.dtype);
    return P.cumulativeSum(P.scatter(empty, place, weight, "add"), 0, true);
  });
}

function onlyTop(p: Tensor, k: number): Tensor {
  const [, positions] = P.topK(p, k);
  const kept = sum(oneHot(positions, p.shape.at(-1)!, { dtype: p.dtype }), { axis: -2 });
  return add(multiply(p, kept), multiply(lowestPrediction, subtract(1, kept)));
}
function column(x: Tensor, classId: number): Tensor {
  if (x.ndim < 2)
    throw new RangeError(`\`classId\` needs predictions [samples, classes]. Received shape [${x.shape}].`);
  const at = classId < 0 ? classId + x.shape.at(-1)! : classId;
  const start = x.shape.map((_, i) => (i === x.ndim - 1 ? at : 0));
  return P.slice(x, start, [...x.shape.slice(0, -1), at + 1]);
}
