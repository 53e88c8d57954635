import { toTensor } from "../core/convert.js";
import { isComplex } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { toFloat } from "./support.js";

/** Real part. */
export const real = defineOp("numpy.Real", (x: TensorLike): Tensor => {
  const t = toTensor(x);
  return isComplex(t.dtype) ? P.real(t) : t;
});
/** Imaginary part; zeros for real tensors. */
export const imag = defineOp("numpy.Imag", (x: TensorLike): Tensor => {
  const t = toTensor(x);
  return isComplex(t.dtype) ? P.imag(t) : P.full(t.shape, 0, t.dtype);
});
/** The number with its imaginary part negated. */
export const conjugate = defineOp(
  "numpy.Conjugate",
  (x: TensorLike): Tensor => {
    const t = toTensor(x);
    return isComplex(t.dtype) ? P.conjugate(t) : t;
  },
  { aliases: ["numpy.Conj"] },
);
export { conjugate as conj };
/** Angle of complex numbers in radians; 0 or π for real ones. */
export const angle = defineOp("numpy.Angle", (x: TensorLike): Tensor => {
  const t = toFloat(x);
  return isComplex(t.dtype) ? P.atan2(P.imag(t), P.real(t)) : P.atan2(P.full(t.shape, 0, t.dtype), t);
});
/** Complex numbers from pairs [..., 2] of real and imaginary parts. */
export const viewAsComplex = defineOp("math.ViewAsComplex", (x: TensorLike): Tensor => {
  const t = toFloat(x);
  if (t.shape.at(-1) !== 2)
    throw new RangeError(`viewAsComplex expects a last axis of size 2. Received shape [${t.shape}].`);
  const part = (i: number): Tensor =>
    P.reshape(
      P.slice(t, [...t.shape.slice(0, -1).map(() => 0), i], [...t.shape.slice(0, -1), i + 1]),
      t.shape.slice(0, -1),
    );
  return P.complex(P.cast(part(0), "float32"), P.cast(part(1), "float32"));
});
/** Pairs [..., 2] of real and imaginary parts. */
export const viewAsReal = defineOp("math.ViewAsReal", (x: TensorLike): Tensor => {
  const t = toTensor(x);
  const column = (part: Tensor): Tensor => P.reshape(part, [...part.shape, 1]);
  const parts = isComplex(t.dtype) ? [P.real(t), P.imag(t)] : [t, P.full(t.shape, 0, t.dtype)];
  return P.concatenate(parts.map(column), t.ndim);
});
