import { type DType, isInteger, isUnsigned, type Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { splitKeys } from "./draws.js";

/** Uniform integers in [low, high) from two draws of 32 bits, bit for bit as JAX's randint. Bounds broadcast to `shape`. */
export function uniformIntegers(key: Tensor, shape: Shape, dtype: DType, low: Tensor, high: Tensor): Tensor {
  if (!isInteger(dtype)) throw new TypeError(`randint gives integers. Received dtype: ${dtype}.`);
  const u32 = (n: number): Tensor => P.full([], n, "uint32");
  const wide: DType = isUnsigned(dtype) ? "uint32" : "int32";
  const [minimum, maximum] = [P.cast(low, wide), P.cast(high, wide)];
  const [k1, k2] = splitKeys(key) as [Tensor, Tensor];
  const [higher, lower] = [P.randomBits(k1, shape), P.randomBits(k2, shape)];
  const empty = P.lessEqual(maximum, minimum);
  const span = P.select(empty, u32(1), P.cast(P.subtract(maximum, minimum), "uint32"));
  const half = P.remainder(u32(2 ** 16), span);
  const multiplier = P.remainder(P.multiply(half, half), span);
  const offset = P.remainder(P.add(P.multiply(P.remainder(higher, span), multiplier), P.remainder(lower, span)), span);
  return P.cast(P.add(minimum, P.cast(offset, wide)), dtype);
}
