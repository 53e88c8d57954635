import { configure } from "../config/configure.js";
import { any, bool, float, int, type Options } from "../config/fields.js";
import { epsilon } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { sigmoid, softmax } from "../ops/activation.js";
import { add, clip, divide, multiply, negative, power, subtract } from "../ops/arithmetic.js";
import * as ops from "../ops/crossentropy.js";
import { log } from "../ops/elementwise.js";
import { mean, sum } from "../ops/reductions.js";
import { converted } from "./aligned.js";
import { Loss, type LossOptions, named } from "./loss.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

export interface CategoricalFocalCrossentropyOptions {
  /** Weight of the loss, for all classes or each. */
  alpha?: TensorLike | undefined;
  /** How little easy examples count. */
  gamma?: number | undefined;
  /** Whether predictions are logits instead of probabilities. */
  fromLogits?: boolean | undefined;
  /** Moves targets this far towards equal probabilities. */
  labelSmoothing?: number | undefined;
  axis?: number | undefined;
}
export interface BinaryFocalCrossentropyOptions extends CategoricalFocalCrossentropyOptions {
  alpha?: number | undefined;
  /** Whether targets 1 get the weight alpha, and targets 0 the rest. */
  applyClassBalancing?: boolean | undefined;
}

/** Binary crossentropy in which examples that are predicted well count less (Lin et al., 2017); mean over `axis`. */
export function binaryFocalCrossentropy(
  yTrue: TensorLike,
  yPred: TensorLike,
  {
    applyClassBalancing = false,
    alpha = 0.25,
    gamma = 2,
    fromLogits = false,
    labelSmoothing = 0,
    axis = -1,
  }: BinaryFocalCrossentropyOptions = {},
): Tensor {
  const [given, output] = converted(yTrue, yPred);
  const t = labelSmoothing ? add(multiply(given, 1 - labelSmoothing), 0.5 * labelSmoothing) : given;
  const p = fromLogits ? sigmoid(output) : output;
  const right = add(multiply(t, p), multiply(subtract(1, t), subtract(1, p)));
  const loss = multiply(power(subtract(1, right), gamma), ops.binaryCrossentropy(t, p));
  const weight = add(multiply(t, alpha), multiply(subtract(1, t), 1 - alpha));
  return mean(applyClassBalancing ? multiply(weight, loss) : loss, { axis });
}
/** Categorical crossentropy in which examples that are predicted well count less (Lin et al., 2017). */
export function categoricalFocalCrossentropy(
  yTrue: TensorLike,
  yPred: TensorLike,
  {
    alpha = 0.25,
    gamma = 2,
    fromLogits = false,
    labelSmoothing = 0,
    axis = -1,
  }: CategoricalFocalCrossentropyOptions = {},
): Tensor {
  const [given, output] = converted(yTrue, yPred);
  const t = labelSmoothing ? add(multiply(given, 1 - labelSmoothing), labelSmoothing / given.shape.at(axis)!) : given;
  const p = fromLogits ? softmax(output, { axis }) : output;
  const scaled = clip(divide(p, sum(p, { axis, keepdims: true })), epsilon(), 1 - epsilon());
  const weight = multiply(power(subtract(1, scaled), gamma), alpha);
  return sum(multiply(weight, negative(multiply(t, log(scaled)))), { axis });
}

const common = { gamma: float(2), fromLogits: bool(false), labelSmoothing: float(0), axis: int(-1) };
const binaryFields = {
  name: named("binary_focal_crossentropy"),
  applyClassBalancing: bool(false),
  alpha: float(0.25),
  ...common,
};
export interface BinaryFocalCrossentropyLossOptions extends LossOptions, Options<typeof binaryFields> {}
/** Binary crossentropy focused on hard examples. */
export class BinaryFocalCrossentropy extends configure(Loss, "BinaryFocalCrossentropy", binaryFields) {
  constructor(options: BinaryFocalCrossentropyLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    return binaryFocalCrossentropy(...squeezeOrExpandToSameRank(yTrue, yPred), this);
  }
}
const categoricalFields = {
  name: named("categorical_focal_crossentropy"),
  /** A number, or one for each class. */
  alpha: any<number | readonly number[]>(0.25),
  ...common,
};
export interface CategoricalFocalCrossentropyLossOptions extends LossOptions, Options<typeof categoricalFields> {}
/** Categorical crossentropy focused on hard examples. */
export class CategoricalFocalCrossentropy extends configure(Loss, "CategoricalFocalCrossentropy", categoricalFields) {
  constructor(options: CategoricalFocalCrossentropyLossOptions = {}) {
    super(options);
  }
  override call(yTrue: Tensor, yPred: Tensor): Tensor {
    const { alpha, gamma, fromLogits, labelSmoothing, axis } = this;
    return categoricalFocalCrossentropy(...squeezeOrExpandToSameRank(yTrue, yPred), {
      alpha: alpha as TensorLike,
      gamma,
      fromLogits,
      labelSmoothing,
      axis,
    });
  }
}
