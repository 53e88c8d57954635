import { configure } from "../config/configure.js";
import { bool, float, type Options } from "../config/fields.js";
import { toTensor } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, maximum, multiply, subtract } from "../ops/arithmetic.js";
import { cast } from "../ops/elementwise.js";
import { equal, greater, logicalAnd, logicalNot, where } from "../ops/logic.js";
import { matmul } from "../ops/matmul.js";
import { reshape, transpose } from "../ops/shape.js";
import { softplus } from "../ops/smooth-activations.js";
import { constant, toFloat } from "../ops/support.js";
import * as P from "../primitives/index.js";
import { Loss, type LossOptions, named } from "./loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

export interface CircleOptions {
  /** Labels of the embeddings to compare with; those of the batch when null. */
  refLabels?: TensorLike | null | undefined;
  /** Embeddings to compare with; those of the batch when null. */
  refEmbeddings?: TensorLike | null | undefined;
  /** Whether an embedding is not compared with itself. */
  removeDiagonal?: boolean | undefined;
  /** How steep the loss is. */
  gamma?: number | undefined;
  margin?: number | undefined;
}

/** Circle loss of embeddings of length 1 (Sun et al., 2020): pairs of one label should be close, others far. */
export function circle(
  yTrue: TensorLike,
  yPred: TensorLike,
  { refLabels = null, refEmbeddings = null, removeDiagonal = true, gamma = 80, margin = 0.4 }: CircleOptions = {},
): Tensor {
  const embeddings = toFloat(yPred);
  const labels = column(toTensor(yTrue, "int32"));
  const others = refEmbeddings === null ? embeddings : toTensor(refEmbeddings, embeddings.dtype);
  const otherLabels = refLabels === null ? labels : column(toTensor(refLabels, "int32"));
  const same = equal(labels, transpose(otherLabels));
  const negative = logicalNot(same);
  const positive = removeDiagonal ? logicalAnd(same, offDiagonal(same)) : same;
  const distance = maximum(subtract(1, matmul(embeddings, transpose(others))), 0);
  const weightOf = (mask: Tensor, weight: Tensor): Tensor => maximum(multiply(weight, cast(mask, distance.dtype)), 0);
  const towards = multiply(multiply(-gamma, weightOf(positive, add(margin, distance))), subtract(margin, distance));
  const away = multiply(
    multiply(gamma, weightOf(negative, subtract(1 + margin, distance))),
    subtract(1 - margin, distance),
  );
  const loss = softplus(add(logSumWhere(positive, towards), logSumWhere(negative, away)));
  loss.kerasMask = greater(loss, 0);
  return loss;
}
const column = (labels: Tensor): Tensor => reshape(labels, [labels.size, 1]);
function offDiagonal(x: Tensor): Tensor {
  const [rows, columns] = x.shape as [number, number];
  return P.notEqual(P.iota([rows, 1], 0, "int32"), P.iota([1, columns], 1, "int32"));
}
/** log Σ exp over the elements of a row that the mask lets through; -∞ when there are none. */
function logSumWhere(mask: Tensor, x: Tensor): Tensor {
  const low = constant(-Infinity, x);
  const masked = where(mask, x, low);
  const top = P.stopGradient(P.max(masked, [1], true));
  const finite = P.select(P.isFinite(top), top, constant(0, x));
  const total = P.sum(P.select(mask, P.exp(P.subtract(x, finite)), constant(0, x)), [1]);
  const none = P.equal(total, constant(0, x));
  const logarithm = P.add(P.log(P.select(none, constant(1, x), total)), P.reshape(finite, total.shape));
  return P.select(none, low, logarithm);
}

const fields = { name: named("circle"), gamma: float(80), margin: float(0.4), removeDiagonal: bool(true) };
export interface CircleLossOptions extends LossOptions, Options<typeof fields> {}
/** Circle loss of embeddings of length 1 with integer labels. */
export class Circle extends configure(Loss, "Circle", fields) {
  constructor(options: CircleLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    const { gamma, margin, removeDiagonal } = this;
    return circle(...squeezeOrExpandToSameRank(yTrue, yPred), { gamma, margin, removeDiagonal });
  }
}
