import type { DType } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { whileLoop } from "../ops/loops.js";
import * as P from "../primitives/index.js";
import { splitKeys, unitUniform } from "./draws.js";

type Constant = (value: number) => Tensor;
const anywhere = (x: Tensor): Tensor =>
  P.any(
    x,
    x.shape.map((_, i) => i),
  );

/**
 * Successes among `count` trials of probability `probability`, both floats of the shape of the result, as JAX draws them: by sums of
 * geometric draws where few successes are expected, else by transformed rejection. NaN and negative arguments give NaN.
 */
export function binomialDraws(key: Tensor, count: Tensor, probability: Tensor, dtype: DType): Tensor {
  const number: Constant = (value) => P.full([], value, probability.dtype);
  const fill = (value: number): Tensor => P.full(count.shape, value, count.dtype);
  const unlikely = P.less(probability, number(0.5));
  const rare = P.select(unlikely, probability, P.subtract(number(1), probability));
  const badCount = P.logicalOr(P.notEqual(count, count), P.less(count, number(0)));
  const badRate = P.logicalOr(P.notEqual(rare, rare), P.less(rare, number(0)));
  const rate = P.select(badRate, fill(0.01), rare);
  const few = P.logicalOr(badCount, P.lessEqual(P.multiply(count, rate), number(10)));
  const whole = P.floor(count);
  const drawn = P.select(
    few,
    sumsOfWaits(key, whole, rate, few, number),
    transformedRejection(
      key,
      P.select(few, fill(1e4), whole),
      P.select(few, fill(0.5), rate),
      anywhere(P.logicalNot(few)),
      number,
    ),
  );
  const bad = P.logicalOr(badCount, badRate);
  const endless = P.equal(count, number(Infinity));
  const successes = P.select(bad, fill(NaN), P.select(endless, fill(Infinity), drawn));
  const direct = P.logicalOr(P.logicalOr(unlikely, badCount), P.logicalOr(P.notEqual(rare, rare), endless));
  const result = P.cast(successes, dtype);
  return P.select(direct, result, P.subtract(P.cast(whole, dtype), result));
}

/** Counts the geometric waiting times that fit into `count` trials. */
function sumsOfWaits(key: Tensor, count: Tensor, rate: Tensor, wanted: Tensor, number: Constant): Tensor {
  const logFailure = P.log1p(P.negative(rate));
  const zeros = P.full(count.shape, 0, count.dtype);
  const [, waits] = whileLoop(
    ([, , sum]) => anywhere(P.lessEqual(sum!, count)),
    ([k, n, sum]) => {
      const [sub, next] = splitKeys(k!) as [Tensor, Tensor];
      const u = unitUniform(sub, count.shape, count.dtype);
      const wait = P.ceil(P.divide(P.log(u), logFailure));
      return [next, P.select(P.lessEqual(sum!, count), P.add(n!, number(1)), n!), P.add(sum!, wait)];
    },
    [key, zeros, P.select(wanted, zeros, P.full(count.shape, Infinity, count.dtype))],
  );
  return P.subtract(waits!, number(1));
}

/**
 * Transformed rejection with squeeze (Hörmann, "The generation of binomial random variates", 1993). As in JAX, elements that are
 * accepted go on drawing until all are; nothing is drawn unless `wanted`.
 */
function transformedRejection(key: Tensor, count: Tensor, rate: Tensor, wanted: Tensor, number: Constant): Tensor {
  const { shape, dtype } = count;
  const plus = (x: Tensor, value: number): Tensor => P.add(x, number(value));
  const times = (value: number, x: Tensor): Tensor => P.multiply(number(value), x);
  const over = (value: number, x: Tensor): Tensor => P.divide(number(value), x);
  const deviation = P.sqrt(P.multiply(P.multiply(count, rate), P.subtract(number(1), rate)));
  const b = plus(times(2.53, deviation), 1.15);
  const a = P.add(plus(times(0.0248, b), -0.0873), times(0.01, rate));
  const c = plus(P.multiply(count, rate), 0.5);
  const squeeze = P.subtract(number(0.92), over(4.2, b));
  const odds = P.divide(rate, P.subtract(number(1), rate));
  const alpha = P.multiply(plus(over(5.1, b), 2.83), deviation);
  const mode = P.floor(P.multiply(plus(count, 1), rate));
  const rest = plus(P.subtract(count, mode), 1);

  /** Logarithm of the ratio of the probabilities of k and of the mode. */
  const logRatio = (k: Tensor): Tensor => {
    const remaining = plus(P.subtract(count, k), 1);
    return [
      P.multiply(plus(mode, 0.5), P.log(P.divide(plus(mode, 1), P.multiply(odds, rest)))),
      P.multiply(plus(count, 1), P.log(P.divide(rest, remaining))),
      P.multiply(plus(k, 0.5), P.log(P.divide(P.multiply(odds, remaining), plus(k, 1)))),
      stirlingTail(mode, number),
      stirlingTail(P.subtract(count, mode), number),
      P.negative(stirlingTail(k, number)),
      P.negative(stirlingTail(P.subtract(count, k), number)),
    ].reduce((sum, term) => P.add(sum, term));
  };
  const [, drawn] = whileLoop(
    ([, , accepted]) => anywhere(P.logicalNot(accepted!)),
    ([keys, kept, accepted]) => {
      const [next, keyU, keyV] = splitKeys(keys!, 3) as [Tensor, Tensor, Tensor];
      const u = plus(unitUniform(keyU, shape, dtype), -0.5);
      const v = unitUniform(keyV, shape, dtype);
      const us = P.subtract(number(0.5), P.abs(u));
      const inside = P.logicalAnd(P.greaterEqual(us, number(0.07)), P.lessEqual(v, squeeze));
      const k = P.floor(P.add(P.multiply(P.add(P.divide(times(2, a), us), b), u), c));
      const outside = P.logicalOr(P.less(k, number(0)), P.greater(k, count));
      const logV = P.log(P.divide(P.multiply(v, alpha), P.add(P.divide(a, P.multiply(us, us)), b)));
      const fits = P.logicalAnd(P.logicalNot(outside), P.lessEqual(logV, logRatio(k)));
      const accept = P.logicalOr(inside, fits);
      return [next, P.select(accept, k, kept!), P.logicalOr(accepted!, accept)];
    },
    [key, P.full(shape, -1, dtype), P.broadcastTo(P.logicalNot(wanted), shape)],
  );
  return drawn!;
}

// prettier-ignore
const TAILS = [
  0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
  0.0138761288230707, 0.0118967099458917, 0.010411265261972, 0.00925546218271273, 0.00833056343336287,
];
/** What Stirling's approximation leaves of log k!: from a table up to 9; beyond, as in JAX, what its series gives at 9. */
function stirlingTail(k: Tensor, number: Constant): Tensor {
  const bounded = P.minimum(P.maximum(k, number(0)), number(9));
  const next = P.add(bounded, number(1));
  const square = P.multiply(next, next);
  const correction = P.subtract(number(1 / 360), P.divide(number(1 / 1260), square));
  const series = P.divide(P.subtract(number(1 / 12), P.divide(correction, square)), next);
  const position = P.floor(bounded);
  const tabled = TAILS.reduce((value, tail, i) => P.select(P.equal(position, number(i)), number(tail), value), series);
  return P.select(P.lessEqual(k, number(9)), tabled, series);
}
