import type { Tensor } from "../core/tensor.js";
import { whileLoop } from "../ops/loops.js";
import * as P from "../primitives/index.js";
import { split, splitKeys, standardNormal, unitUniform } from "./draws.js";

/**
 * Draws from gamma distributions of scale 1, one for each element of `alpha` and each with a key of its own, by the rejection method of
 * Marsaglia and Tsang ("A simple method for generating gamma variables", 2000). With `logarithm` their logarithms, which do not underflow.
 */
export function standardGamma(key: Tensor, alpha: Tensor, { logarithm }: { readonly logarithm: boolean }): Tensor {
  const { dtype } = alpha;
  const number = (value: number): Tensor => P.full([], value, dtype);
  const [zero, one, third] = [number(0), number(1), number(1 / 3)];
  const given = P.reshape(alpha, [alpha.size]);
  // Small parameters are raised by 1, and the draw is scaled down afterwards.
  const large = P.greaterEqual(given, one);
  const d = P.subtract(P.select(large, given, P.add(given, one)), third);
  // XLA divides by a root through its reciprocal, except in bfloat16.
  const c = dtype === "bfloat16" ? P.divide(third, P.sqrt(d)) : P.multiply(third, P.rsqrt(d));

  // XLA fuses float32 steps on CPUs, but rounds after each one of narrower floats.
  const onePlus = (x: Tensor, y: Tensor): Tensor =>
    dtype === "float32" ? P.multiplyAdd(x, y, one) : P.add(P.multiply(x, y), one);
  const refused = (square: Tensor, cube: Tensor, u: Tensor): Tensor =>
    P.logicalAnd(
      P.greaterEqual(u, P.subtract(one, P.multiply(number(0.0331), P.multiply(square, square)))),
      P.greaterEqual(
        P.log(u),
        P.add(P.multiply(square, number(0.5)), P.multiply(d, P.add(P.subtract(one, cube), P.log(cube)))),
      ),
    );
  /** A normal draw for which 1 + c x is positive, as x and 1 + c x; only elements in `wanted` have to have one. */
  const positive = (keys: Tensor, wanted: Tensor): readonly [x: Tensor, v: Tensor] => {
    const start = [keys, P.full(given.shape, 0, dtype), P.select(wanted, number(-1), one)];
    const [, x, v] = whileLoop(
      (carry) => P.any(P.lessEqual(carry[2]!, zero), [0]),
      ([k, old, oldV]) => {
        const [next, sub] = splitKeys(k!) as [Tensor, Tensor];
        const normal = standardNormal(sub, [], dtype);
        const open = P.lessEqual(oldV!, zero);
        return [choose(open, next, k!), P.select(open, normal, old!), P.select(open, onePlus(normal, c), oldV!)];
      },
      start,
    );
    return [x!, v!];
  };

  const [keys, boostKeys] = splitKeys(split(key, given.size)) as [Tensor, Tensor];
  const [, , cube] = whileLoop(
    ([, square, v, u]) => P.any(refused(square!, v!, u!), [0]),
    ([k, square, v, u]) => {
      const open = refused(square!, v!, u!);
      const [next, normalKeys, uniformKeys] = splitKeys(k!, 3) as [Tensor, Tensor, Tensor];
      const [x, base] = positive(normalKeys, open);
      return [
        choose(open, next, k!),
        P.select(open, P.multiply(x, x), square!),
        P.select(open, P.multiply(P.multiply(base, base), base), v!),
        P.select(open, unitUniform(uniformKeys, [], dtype), u!),
      ];
    },
    // Values that are refused.
    [keys, ...[0, 1, 2].map((value) => P.full(given.shape, value, dtype))],
  );
  const u = unitUniform(boostKeys, [], dtype);
  return P.reshape(logarithm ? logarithms() : values(), alpha.shape);

  function values(): Tensor {
    const boost = P.power(P.subtract(one, u), P.divide(one, given));
    return P.multiply(P.multiply(d, cube!), P.select(large, P.full(given.shape, 1, dtype), boost));
  }
  function logarithms(): Tensor {
    const logU = P.log1p(P.negative(u));
    const boost = P.select(
      P.logicalOr(large, P.equal(logU, zero)),
      P.full(given.shape, 0, dtype),
      P.multiply(logU, P.divide(one, given)),
    );
    return P.add(P.add(P.log(d), P.log(cube!)), boost);
  }
}
/** Rows of keys: of `x` where `condition` holds, else of `y`. */
const choose = (condition: Tensor, x: Tensor, y: Tensor): Tensor =>
  P.select(P.reshape(condition, [...condition.shape, 1]), x, y);

/** Draws from beta distributions: the share of one gamma draw in the sum of two, scaled by the larger so that nothing underflows. */
export function betaDraws(key: Tensor, alpha: Tensor, beta: Tensor): Tensor {
  const [keyA, keyB] = splitKeys(key) as [Tensor, Tensor];
  const logA = standardGamma(keyA, alpha, { logarithm: true });
  const logB = standardGamma(keyB, beta, { logarithm: true });
  const larger = P.maximum(logA, logB);
  const [a, b] = [P.exp(P.subtract(logA, larger)), P.exp(P.subtract(logB, larger))];
  return P.divide(a, P.add(a, b));
}
