import { configure } from "../config/configure.js";
import { axis, float, optional, type Options } from "../config/fields.js";
import { epsilon } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { add, divide, multiply, subtract } from "../ops/arithmetic.js";
import { sum } from "../ops/reductions.js";
import type { Axis } from "../ops/support.js";
import { converted } from "./aligned.js";
import { Loss, type LossOptions, named } from "./loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

export interface DiceOptions {
  /** The axes over which overlaps are taken; all when null. */
  axis?: Axis | undefined;
}
/** 1 - 2 |A ∩ B| / (|A| + |B|) (Dice, 1945). */
export function dice(yTrue: TensorLike, yPred: TensorLike, { axis: over = null }: DiceOptions = {}): Tensor {
  const [t, p] = converted(yTrue, yPred);
  const total = (x: Tensor): Tensor => sum(x, { axis: over });
  return subtract(1, divide(multiply(2, total(multiply(t, p))), add(add(total(t), total(p)), epsilon())));
}
export interface TverskyOptions extends DiceOptions {
  /** Weight of what is in the prediction only. */
  alpha?: number | undefined;
  /** Weight of what is in the target only. */
  beta?: number | undefined;
}
/** 1 - |A ∩ B| / (|A ∩ B| + alpha |B − A| + beta |A − B|) (Salehi et al., 2017). */
export function tversky(
  yTrue: TensorLike,
  yPred: TensorLike,
  { alpha = 0.5, beta = 0.5, axis: over = null }: TverskyOptions = {},
): Tensor {
  const [t, p] = converted(yTrue, yPred);
  const total = (x: Tensor, y: Tensor): Tensor => sum(multiply(x, y), { axis: over });
  const shared = total(t, p);
  const wrong = multiply(total(p, subtract(1, t)), alpha);
  const missed = multiply(total(subtract(1, p), t), beta);
  return subtract(1, divide(shared, add(add(add(shared, missed), wrong), epsilon())));
}

const axisField = { axis: optional(axis()) };
const diceFields = { name: named("dice"), ...axisField };
export interface DiceLossOptions extends LossOptions, Options<typeof diceFields> {}
/** 1 minus the Dice overlap of targets and predictions. */
export class Dice extends configure(Loss, "Dice", diceFields) {
  constructor(options: DiceLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return dice(...squeezeOrExpandToSameRank(yTrue, yPred), { axis: this.axis });
  }
}
const tverskyFields = { name: named("tversky"), alpha: float(0.5), beta: float(0.5), ...axisField };
export interface TverskyLossOptions extends LossOptions, Options<typeof tverskyFields> {}
/** 1 minus the Tversky overlap of targets and predictions. */
export class Tversky extends configure(Loss, "Tversky", tverskyFields) {
  constructor(options: TverskyLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    const { alpha, beta, axis: over } = this;
    return tversky(...squeezeOrExpandToSameRank(yTrue, yPred), { alpha, beta, axis: over });
  }
}
