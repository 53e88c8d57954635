import type { DType, Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";

/** Random values from raw uint32 keys [2], bit for bit as JAX draws them (threefry, partitionable layout). */

const u32 = (n: number): Tensor => P.full([], n, "uint32");
const like = (x: Tensor, n: number): Tensor => P.full([], n, x.dtype);

/** Children of a key: uint32 [..., count, 2]. */
export function split(key: Tensor, count = 2): Tensor {
  const [a, b] = P.threefry(key, [count]);
  const column = (x: Tensor): Tensor => P.reshape(x, [...x.shape, 1]);
  return P.concatenate([column(a), column(b)], a.ndim);
}
/** The children of a key one by one. */
export function splitKeys(key: Tensor, count = 2): Tensor[] {
  const children = split(key, count);
  const lead = key.shape.slice(0, -1);
  return Array.from({ length: count }, (_, i) => {
    const at = P.slice(children, [...lead.map(() => 0), i, 0], [...lead, i + 1, 2]);
    return P.reshape(at, [...lead, 2]);
  });
}

interface FloatLayout {
  readonly randomBits: number;
  readonly mantissa: number;
  readonly one: number;
  readonly word: DType;
}
const layouts: Partial<Record<DType, FloatLayout>> = {
  float32: { randomBits: 32, mantissa: 23, one: 0x3f800000, word: "uint32" },
  float16: { randomBits: 16, mantissa: 10, one: 0x3c00, word: "uint16" },
  bfloat16: { randomBits: 8, mantissa: 7, one: 0x3f80, word: "uint16" },
};
function layoutOf(dtype: DType): FloatLayout {
  const layout = layouts[dtype];
  if (!layout) throw new TypeError(`Random draws give float16, bfloat16 or float32. Received dtype: ${dtype}.`);
  return layout;
}

/** Uniform in [0, 1): random mantissas under the exponent of 1, minus 1. */
export function unitUniform(key: Tensor, shape: Shape, dtype: DType): Tensor {
  const { randomBits, mantissa, one, word } = layoutOf(dtype);
  const bits = P.randomBits(key, shape);
  const low = randomBits === 32 ? bits : P.bitwiseAnd(bits, u32(2 ** randomBits - 1));
  const mantissas = P.bitwiseOr(P.shiftRightLogical(low, u32(randomBits - mantissa)), u32(one));
  const floats = P.bitcast(P.cast(mantissas, word), dtype);
  return P.subtract(floats, like(floats, 1));
}
/** Uniform in [low, high), bounds in the dtype of the result. */
export function uniformBetween(key: Tensor, shape: Shape, dtype: DType, low: Tensor, high: Tensor): Tensor {
  const floats = unitUniform(key, shape, dtype);
  const span = P.subtract(high, low);
  // XLA fuses float32 steps on CPUs, but rounds after each one of narrower floats.
  const sum = dtype === "float32" ? P.multiplyAdd(floats, span, low) : P.add(P.multiply(floats, span), low);
  return P.maximum(low, sum);
}

/** Standard normal by the inverse error function of a uniform in (-1, 1). */
export function standardNormal(key: Tensor, shape: Shape, dtype: DType): Tensor {
  const minusOne = P.full([], -1, dtype);
  const u = uniformBetween(key, shape, dtype, P.nextAfter(minusOne, P.full([], 0, dtype)), P.full([], 1, dtype));
  return P.multiply(P.full([], Math.SQRT2, dtype), P.erfInv(u));
}
/** Standard normal cut at two deviations. */
export function truncatedStandardNormal(key: Tensor, shape: Shape, dtype: DType): Tensor {
  const [low, high, root] = [P.full([], -2, dtype), P.full([], 2, dtype), P.full([], Math.SQRT2, dtype)];
  const u = uniformBetween(key, shape, dtype, P.erf(P.divide(low, root)), P.erf(P.divide(high, root)));
  const x = P.multiply(root, P.erfInv(u));
  const inside = P.nextAfter(low, P.full([], Infinity, dtype));
  return P.minimum(P.maximum(x, inside), P.nextAfter(high, P.full([], -Infinity, dtype)));
}
/** True with probability `p`, a float scalar or an array of `shape`. */
export function bernoulli(key: Tensor, p: Tensor, shape: Shape): Tensor {
  return P.less(unitUniform(key, shape, p.dtype), p);
}
/** Standard Gumbel. */
export function gumbel(key: Tensor, shape: Shape, dtype: DType): Tensor {
  const tiny = dtype === "float16" ? 2 ** -14 : 2 ** -126;
  const u = uniformBetween(key, shape, dtype, P.full([], tiny, dtype), P.full([], 1, dtype));
  return P.negative(P.log(P.negative(P.log(u))));
}
/** The order-destroying rounds of sorting by random bits; every vector along `axis` is shuffled on its own. */
export function shuffleAlong(key: Tensor, x: Tensor, axis: number): Tensor {
  const size = Math.max(1, x.size);
  const rounds = Math.ceil((3 * Math.log(size)) / Math.log(2 ** 32 - 1));
  let state = key;
  let shuffled = x;
  for (let i = 0; i < rounds; i++) {
    const [next, sub] = splitKeys(state) as [Tensor, Tensor];
    state = next;
    shuffled = P.takeAlongAxis(shuffled, P.argSort(P.randomBits(sub, x.shape), axis), axis, "clip");
  }
  return shuffled;
}
