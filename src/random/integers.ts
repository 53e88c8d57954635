import { toTensor } from "../core/convert.js";
import { type DType, dtypeBytes, isFloat, isInteger, isUnsigned, type Shape } from "../core/dtype.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { splitKeys } from "./draws.js";

const u32 = (n: number): Tensor => P.full([], n, "uint32");
const i32 = (n: number): Tensor => P.full([], n, "int32");
const clip = (x: Tensor, low: number, high: number): Tensor => P.minimum(P.maximum(x, i32(low)), i32(high));

/** A bound as int32 or uint32. */
function bound(x: TensorLike): Tensor {
  const t = typeof x === "number" && x > 2 ** 31 - 1 ? P.full([], x, "uint32") : toTensor(x);
  return isFloat(t.dtype) || t.dtype !== "uint32" ? P.cast(t, "int32") : t;
}
/** A bound in another 32-bit type, at most its nearest value. */
function convert(x: Tensor, dtype: DType): Tensor {
  if (x.dtype === dtype) return x;
  return dtype === "int32" ? P.cast(P.minimum(x, u32(2 ** 31 - 1)), "int32") : P.cast(P.maximum(x, i32(0)), "uint32");
}

/** Uniform integers in [low, high) from two draws of 32 bits, bit for bit as JAX's randint. Bounds broadcast to `shape`. */
export function uniformIntegers(key: Tensor, shape: Shape, dtype: DType, low: TensorLike, high: TensorLike): Tensor {
  if (!isInteger(dtype)) throw new TypeError(`randint gives integers. Received dtype: ${dtype}.`);
  let [minimum, maximum] = [bound(low), bound(high)];
  const bits = 8 * dtypeBytes(dtype);
  const wide: DType = bits === 32 ? dtype : "int32";
  // Narrow types are drawn in 32 bits, where the end of their range fits.
  if (bits < 32) {
    const least = isUnsigned(dtype) ? 0 : -(2 ** (bits - 1));
    minimum = clip(P.cast(minimum, "int32"), least, least + 2 ** bits - 1);
    maximum = clip(P.cast(maximum, "int32"), least, least + 2 ** bits);
  }
  const beyond =
    wide === "int32" && maximum.dtype === "uint32" ? P.greater(maximum, u32(2 ** 31 - 1)) : P.full([], 0, "bool");
  minimum = convert(minimum, wide);
  maximum = convert(maximum, wide);
  const empty = P.lessEqual(maximum, minimum);
  const difference = P.cast(P.subtract(maximum, minimum), "uint32");
  const whole = P.add(difference, P.cast(P.logicalAnd(beyond, P.logicalNot(empty)), "uint32"));
  const span = P.select(empty, u32(1), whole);
  const [k1, k2] = splitKeys(key) as [Tensor, Tensor];
  const [higher, lower] = [P.randomBits(k1, shape), P.randomBits(k2, shape)];
  // 2³² modulo the span, without a type that holds 2³².
  const half = P.remainder(u32(2 ** 16), span);
  const multiplier = P.remainder(P.multiply(half, half), span);
  const offset = P.remainder(P.add(P.multiply(P.remainder(higher, span), multiplier), P.remainder(lower, span)), span);
  return P.cast(P.add(minimum, P.cast(offset, wide)), dtype);
}
