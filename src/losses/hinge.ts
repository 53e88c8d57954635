import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, maximum, multiply, square, subtract } from "../ops/arithmetic.js";
import { equal, logicalOr, where } from "../ops/logic.js";
import { all, max, mean, sum } from "../ops/reductions.js";
import { converted } from "./aligned.js";
import { functionLoss } from "./function-loss.js";

/** Targets 0 and 1 as -1 and 1; others as they are. */
function signed(target: Tensor): Tensor {
  const binary = all(logicalOr(equal(target, 0), equal(target, 1)));
  return where(binary, subtract(multiply(2, target), 1), target);
}
/** How far predictions fall short of a margin of 1 on the side of their target. */
function shortfall(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = converted(yTrue, yPred);
  return maximum(subtract(1, multiply(signed(t), p)), 0);
}

/** Mean shortfall from a margin of 1, for targets -1 and 1 (or 0 and 1). */
export const hinge = (yTrue: TensorLike, yPred: TensorLike): Tensor => mean(shortfall(yTrue, yPred), { axis: -1 });
/** Mean squared shortfall from a margin of 1, for targets -1 and 1 (or 0 and 1). */
export const squaredHinge = (yTrue: TensorLike, yPred: TensorLike): Tensor =>
  mean(square(shortfall(yTrue, yPred)), { axis: -1 });
/** How far the value of the true class falls short of being 1 above all others. */
export function categoricalHinge(yTrue: TensorLike, yPred: TensorLike): Tensor {
  const [t, p] = converted(yTrue, yPred);
  const positive = sum(multiply(t, p), { axis: -1 });
  const negative = max(multiply(subtract(1, t), p), { axis: -1 });
  return maximum(add(subtract(negative, positive), 1), 0);
}

/** Mean shortfall from a margin of 1, for targets -1 and 1 (or 0 and 1). */
export class Hinge extends functionLoss("Hinge", "hinge", hinge) {}
/** Mean squared shortfall from a margin of 1, for targets -1 and 1 (or 0 and 1). */
export class SquaredHinge extends functionLoss("SquaredHinge", "squared_hinge", squaredHinge) {}
/** Shortfall of the true class's lead over all others from 1. */
export class CategoricalHinge extends functionLoss("CategoricalHinge", "categorical_hinge", categoricalHinge) {}
