import { toTensor } from "../core/convert.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { toFloat } from "../ops/support.js";
import { squeezeOrExpandToSameRank } from "./reduce.js";

/** Predictions as floats, and targets in their dtype. */
export function converted(yTrue: TensorLike, yPred: TensorLike): [target: Tensor, output: Tensor] {
  const output = toFloat(yPred);
  return [toTensor(yTrue, output.dtype), output];
}
/** Predictions as floats and targets of their dtype, aligned in rank. */
export const aligned = (yTrue: TensorLike, yPred: TensorLike): [target: Tensor, output: Tensor] =>
  squeezeOrExpandToSameRank(...converted(yTrue, yPred));
