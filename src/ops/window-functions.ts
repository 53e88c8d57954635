import { toTensor } from "../core/convert.js";
import { readNow } from "../core/host.js";
import { defineOp } from "../core/op.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { constant } from "./support.js";

const lengthOf = (x: TensorLike): number =>
  typeof x === "number" ? x : Number(readNow(toTensor(x), "window")?.numbers()[0] ?? NaN);
/** A window of the given length from the phase 2πn / (length - 1); one point is 1. */
const windowOf =
  (shape: (phase: Tensor, fraction: Tensor) => Tensor) =>
  (x: TensorLike): Tensor => {
    const n = lengthOf(x);
    if (n < 1) return P.full([0], 0, floatx());
    if (n === 1) return P.full([1], 1, floatx());
    const fraction = P.divide(P.iota([n], 0, floatx()), P.full([], n - 1, floatx()));
    return shape(P.multiply(fraction, constant(2 * Math.PI, fraction)), fraction);
  };
const cosine = (x: Tensor, factor: number, times = 1): Tensor =>
  P.multiply(P.cos(times === 1 ? x : P.multiply(x, constant(times, x))), constant(factor, x));
/** The triangular Bartlett window. */
export const bartlett = defineOp(
  "numpy.Bartlett",
  windowOf((_, t) => P.subtract(constant(1, t), P.abs(P.subtract(P.multiply(t, constant(2, t)), constant(1, t))))),
);
/** The Hann window. */
export const hanning = defineOp(
  "numpy.Hanning",
  windowOf((p) => P.subtract(constant(0.5, p), cosine(p, 0.5))),
);
/** The Hamming window. */
export const hamming = defineOp(
  "numpy.Hamming",
  windowOf((p) => P.subtract(constant(0.54, p), cosine(p, 0.46))),
);
/** The Blackman window. */
export const blackman = defineOp(
  "numpy.Blackman",
  windowOf((p) => P.add(P.subtract(constant(0.42, p), cosine(p, 0.5)), cosine(p, 0.08, 2))),
);
/** The Kaiser window with shape parameter beta: I₀(β √(1 - t²)) / I₀(β). */
export const kaiser = defineOp("numpy.Kaiser", (x: TensorLike, beta: TensorLike): Tensor => {
  const b = toTensor(beta, floatx());
  return windowOf((_, t) => {
    const centered = P.subtract(P.multiply(t, constant(2, t)), constant(1, t));
    const inside = P.maximum(P.subtract(constant(1, t), P.multiply(centered, centered)), constant(0, t));
    const y = P.multiply(b, P.sqrt(inside));
    return P.multiply(P.divide(P.besselI0e(y), P.besselI0e(b)), P.exp(P.subtract(P.abs(y), P.abs(b))));
  })(x);
});
