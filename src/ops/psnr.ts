import { promoted, toTensor } from "../core/convert.js";
import { isSpecMode } from "../core/interpreter.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { square, subtract } from "./arithmetic.js";
import { mean } from "./reductions.js";
import { constant, toFloat } from "./support.js";

/** Peak signal-to-noise ratio in decibels of two tensors of one shape, whose values reach up to `maxVal`. */
export const psnr = defineOp(
  "nn.PSNR",
  (x1: TensorLike, x2: TensorLike, maxVal: number): Tensor => {
    const [a, b] = [toTensor(x1), toTensor(x2)];
    // Keras compares the sizes of values only.
    const known = !isSpecMode();
    if (a.ndim !== b.ndim || (known && a.shape.some((d, i) => d !== b.shape[i])))
      throw new RangeError(`psnr: expected tensors of one shape. Received [${a.shape}] and [${b.shape}].`);
    if (!known) return P.full([], 0, toFloat(a).dtype);
    const error = mean(square(subtract(a, b)));
    const decibels = P.multiply(P.log(error), constant(10 / Math.LN10, error));
    return P.subtract(constant(20 * Math.log10(maxVal), error), decibels);
  },
  { static: ["max_val"] },
);

/** Complex numbers from their absolute values and angles in radians. */
export const polar = defineOp("nn.Polar", (abs: TensorLike, angle: TensorLike): Tensor => {
  const [r, phi] = promoted([toFloat(abs), toFloat(angle)]) as [Tensor, Tensor];
  return P.complex(P.multiply(r, P.cos(phi)), P.multiply(r, P.sin(phi)));
});
