import type { Tensor, TensorLike } from "../core/tensor.js";
import { relu as plainRelu } from "../ops/activation.js";
import { clip, multiply, subtract } from "../ops/arithmetic.js";
import { greater, where } from "../ops/logic.js";
import { leakyRelu, relu6 } from "../ops/rectifiers.js";

/** How `relu` bends. */
export interface ReluOptions {
  /** Factor of values below the threshold. */
  negativeSlope?: number | undefined;
  /** Largest value; none when null. */
  maxValue?: number | null | undefined;
  /** Values below it count as small. */
  threshold?: number | undefined;
}

/** max(x, 0); or, with options, `x` above a threshold, `negativeSlope · (x - threshold)` below it, and at most `maxValue`. */
export function relu(x: TensorLike, { negativeSlope = 0, maxValue = null, threshold = 0 }: ReluOptions = {}): Tensor {
  if (negativeSlope !== 0 && maxValue === null && threshold === 0) return leakyRelu(x, { negativeSlope });
  let y = threshold !== 0 ? where(greater(x, threshold), x, 0) : maxValue === 6 ? relu6(x) : plainRelu(x);
  if (maxValue !== null && (threshold !== 0 || maxValue !== 6)) y = clip(y, 0, maxValue);
  return negativeSlope === 0 ? y : subtract(y, multiply(negativeSlope, plainRelu(subtract(threshold, x))));
}
