import { promoted, resultType } from "../core/convert.js";
import { isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { vectorJacobianProduct } from "../core/gradient.js";
import * as P from "../primitives/index.js";
import * as loops from "./loops.js";
import { constant } from "./support.js";
import { withGradient } from "./with-gradient.js";

const n = (value: number, like: Tensor): Tensor => constant(value, like);
const square = (x: Tensor): Tensor => P.multiply(x, x);
/** c[0] + c[1] x + ... */
const polynomial = (c: readonly number[], x: Tensor): Tensor =>
  c.reduceRight<Tensor>((sum, k) => P.add(P.multiply(sum, x), n(k, x)), n(0, x));

/** (μ - log(1 + μ)) / μ² for |μ| <= 0.5, by the series of artanh. */
function smoothDeviance(mu: Tensor): Tensor {
  const q = P.divide(n(1, mu), P.add(mu, n(2, mu)));
  const r = P.multiply(mu, q);
  const series = polynomial([1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11, 1 / 13, 1 / 15, 1 / 17, 1 / 19], square(r));
  return P.subtract(q, P.multiply(P.multiply(n(2, mu), P.multiply(mu, P.multiply(q, square(q)))), series));
}
const isNear = (a: Tensor, x: Tensor): Tensor => P.lessEqual(P.abs(P.subtract(x, a)), P.multiply(a, n(0.5, a)));
const relativeDistance = (a: Tensor, x: Tensor): Tensor => P.divide(P.subtract(x, a), a);

/** xᵃ e⁻ˣ / Γ(a + 1) for positive a and x. Large a go by the distance of x from a, where the plain formula cancels. */
function density(a: Tensor, x: Tensor): Tensor {
  const isSmall = P.less(a, n(8, a));
  const fits = P.logicalAnd(isSmall, P.less(x, n(200, x)));
  const [a0, x0] = [P.select(isSmall, a, n(1, a)), P.select(fits, x, n(1, x))];
  const plain = P.multiply(P.power(x0, a0), P.exp(P.negative(P.add(x0, P.lgamma(P.add(a0, n(1, a)))))));

  const [a1, x1] = [P.select(isSmall, n(8, a), a), P.select(isSmall, n(8, x), x)];
  const near = isNear(a1, x1);
  const mu = relativeDistance(a1, x1);
  const nearMu = P.select(near, mu, n(0, mu));
  const farMu = P.select(near, n(1, mu), mu);
  const deviance = P.select(
    near,
    P.multiply(square(nearMu), smoothDeviance(nearMu)),
    P.subtract(farMu, P.log1p(farMu)),
  );
  const inverse = P.divide(n(1, a), a1);
  const stirling = P.multiply(inverse, polynomial([1 / 12, -1 / 360, 1 / 1260, -1 / 1680], square(inverse)));
  const large = P.divide(
    P.exp(P.negative(P.add(P.multiply(a1, deviance), stirling))),
    P.sqrt(P.multiply(n(2 * Math.PI, a), a1)),
  );
  return P.select(isSmall, P.select(fits, plain, n(0, x)), large);
}

/** From a on, P(a, x) for x near a has this expansion. */
const LARGE = 1000;
// prettier-ignore
const expansion = [
  [-1 / 3, 1 / 12, -2 / 135, 1 / 864, 3.5273368606701940e-4, -1.7875514403292181e-4, 3.9192631785224378e-5, -2.1854485106799922e-6],
  [-1 / 540, -1 / 288, 2.6455026455026455e-3, -9.9022633744855967e-4, 2.0576131687242798e-4, -4.0187757201646091e-7, -1.8098550334489978e-5],
] as const;
/** P(a, x) for large a and |x - a| <= a / 2 (Temme, 1979; coefficients by DiDonato & Morris, 1986). */
function uniform(a: Tensor, x: Tensor): Tensor {
  const mu = relativeDistance(a, x);
  const eta = P.multiply(mu, P.sqrt(P.multiply(n(2, mu), smoothDeviance(mu))));
  const root = P.sqrt(P.multiply(a, n(0.5, a)));
  const body = P.multiply(n(0.5, a), P.erfc(P.negative(P.multiply(eta, root))));
  const rest = P.add(polynomial(expansion[0], eta), P.divide(polynomial(expansion[1], eta), a));
  const weight = P.divide(
    P.exp(P.multiply(a, P.multiply(n(-0.5, a), square(eta)))),
    P.sqrt(P.multiply(n(2 * Math.PI, a), a)),
  );
  return P.subtract(body, P.multiply(weight, rest));
}

const MOST_STEPS = 5000;
const PRECISION = 2 ** -25;
const anyAbove = (x: Tensor, limit: Tensor): Tensor =>
  P.any(
    P.greater(P.abs(x), limit),
    x.shape.map((_, i) => i),
  );

/** Σ xᵏ / ((a + 1) ... (a + k)) and its derivative in a, for x < a + 1. */
function powerSeries(a: Tensor, x: Tensor): { value: Tensor; slope: Tensor } {
  const one = P.broadcastTo(n(1, a), a.shape);
  const zero = P.broadcastTo(n(0, a), a.shape);
  const [, , , , value, slope] = loops.whileLoop(
    ([k, term, , change, sum]) =>
      P.logicalAnd(
        P.less(k!, n(MOST_STEPS, k!)),
        P.logicalOr(anyAbove(term!, P.multiply(sum!, n(PRECISION, sum!))), anyAbove(change!, n(PRECISION, sum!))),
      ),
    ([k, term, logSlope, , sum, slopes]) => {
      const next = P.add(k!, n(1, k!));
      const divisor = P.add(a, next);
      const t = P.divide(P.multiply(term!, x), divisor);
      const l = P.subtract(logSlope!, P.divide(n(1, a), divisor));
      const change = P.multiply(t, l);
      return [next, t, l, change, P.add(sum!, t), P.add(slopes!, change)];
    },
    [n(0, a), one, zero, one, one, zero],
  ) as Tensor[];
  return { value: value!, slope: slope! };
}

/** f and its logarithm's derivative in a, where Γ(a, x) = xᵃ e⁻ˣ / f for x >= a + 1: a continued fraction, by Lentz's method. */
function continuedFraction(a: Tensor, x: Tensor): { value: Tensor; logSlope: Tensor } {
  const one = n(1, a);
  const first = P.subtract(P.add(x, one), a);
  const zero = P.broadcastTo(n(0, a), a.shape);
  const minusOne = P.broadcastTo(n(-1, a), a.shape);
  const [, , value, logSlope] = loops.whileLoop(
    ([k, change]) => P.logicalAnd(P.less(k!, n(MOST_STEPS, k!)), anyAbove(change!, n(2 * PRECISION, a))),
    ([k, , f, slope, c, dc, d, dd]) => {
      const next = P.add(k!, one);
      const top = P.multiply(next, P.subtract(a, next));
      const bottom = P.add(first, P.add(next, next));
      const ratio = P.divide(one, c!);
      const c1 = P.add(bottom, P.multiply(top, ratio));
      const dc1 = P.subtract(P.multiply(ratio, P.subtract(next, P.multiply(top, P.multiply(ratio, dc!)))), one);
      const d1 = P.divide(one, P.add(bottom, P.multiply(top, d!)));
      const dd1 = P.negative(
        P.multiply(square(d1), P.subtract(P.add(P.multiply(next, d!), P.multiply(top, dd!)), one)),
      );
      const factor = P.multiply(c1, d1);
      const step = P.add(P.divide(dc1, c1), P.divide(dd1, d1));
      const change = P.maximum(P.abs(P.subtract(factor, one)), P.abs(step));
      return [next, change, P.multiply(f!, factor), P.add(slope!, step), c1, dc1, d1, dd1];
    },
    [n(0, a), P.broadcastTo(one, a.shape), first, P.divide(minusOne, first), first, minusOne, zero, zero],
  ) as Tensor[];
  return { value: value!, logSlope: logSlope! };
}

/** P(a, x) for positive a and x, and its derivative in a. */
function valueAndSlope(a: Tensor, x: Tensor): [value: Tensor, slope: Tensor] {
  const isUniform = P.logicalAnd(P.greaterEqual(a, n(LARGE, a)), isNear(a, x));
  const isSeries = P.logicalAnd(P.logicalNot(isUniform), P.less(x, P.add(a, n(1, a))));
  const isFraction = P.logicalNot(P.logicalOr(isUniform, isSeries));
  const where = (condition: Tensor, v: Tensor, otherwise: number): Tensor => P.select(condition, v, n(otherwise, v));

  const [au, xu] = [where(isUniform, a, LARGE), where(isUniform, x, LARGE)];
  const { outputs, gradients } = vectorJacobianProduct(
    () => [uniform(au, xu)],
    [au],
    ([y]) => [P.broadcastTo(n(1, y!), y!.shape)],
  );
  const scale = density(a, x);
  const logX = P.log(x);
  const next = P.add(a, n(1, a));
  const series = powerSeries(where(isSeries, a, 1), where(isSeries, x, 0.5));
  const seriesValue = P.multiply(scale, series.value);
  const seriesSlope = P.add(
    P.multiply(seriesValue, P.subtract(logX, P.digamma(next))),
    P.multiply(scale, series.slope),
  );

  const fraction = continuedFraction(where(isFraction, a, 1), where(isFraction, x, 4));
  const upper = P.divide(P.multiply(scale, a), fraction.value);
  const upperSlope = P.multiply(upper, P.subtract(P.subtract(logX, P.digamma(a)), fraction.logSlope));
  const choose = (u: Tensor, s: Tensor, f: Tensor): Tensor => P.select(isUniform, u, P.select(isSeries, s, f));
  return [
    choose(outputs[0]!, seriesValue, P.subtract(n(1, upper), upper)),
    choose(gradients[0]!, seriesSlope, P.negative(upperSlope)),
  ];
}

/** P(a, x) with its values and slopes at and beyond the ends of its domain. */
function regularized(a: Tensor, x: Tensor): [value: Tensor, slope: Tensor] {
  const [zero, infinity] = [n(0, a), n(Infinity, a)];
  const positive = (v: Tensor): Tensor => P.logicalAnd(P.greater(v, zero), P.less(v, infinity));
  const isInside = P.logicalAnd(positive(a), positive(x));
  const [value, slope] = valueAndSlope(P.select(isInside, a, n(1, a)), P.select(isInside, x, n(1, x)));
  const isProper = P.logicalAnd(P.greaterEqual(a, zero), P.less(a, infinity));
  const atZero = P.logicalAnd(P.logicalAnd(isProper, P.greater(a, zero)), P.equal(x, zero));
  const isOne = P.logicalAnd(
    isProper,
    P.logicalOr(P.equal(x, infinity), P.logicalAnd(P.equal(a, zero), P.greater(x, zero))),
  );
  const edge = P.select(atZero, zero, P.select(isOne, n(1, a), n(NaN, a)));
  const flat = P.select(P.logicalOr(atZero, isOne), zero, n(NaN, a));
  return [P.select(isInside, value, edge), P.select(isInside, slope, flat)];
}
/** dP/dx = xᵃ⁻¹ e⁻ˣ / Γ(a), also at x = 0. */
function slopeInX(a: Tensor, x: Tensor): Tensor {
  const isInside = P.logicalAnd(P.greater(a, n(0, a)), P.logicalAnd(P.greater(x, n(0, x)), P.less(x, n(Infinity, x))));
  const [a0, x0] = [P.select(isInside, a, n(1, a)), P.select(isInside, x, n(1, x))];
  const inside = P.divide(P.multiply(density(a0, x0), a0), x0);
  const atZero = P.multiply(P.power(x, P.subtract(a, n(1, a))), P.exp(P.negative(P.lgamma(a))));
  return P.select(isInside, inside, P.select(P.equal(x, n(Infinity, x)), n(0, x), atZero));
}

/**
 * The regularized lower incomplete gamma function P(x1, x2), between 0 and 1, for x1 > 0 and x2 >= 0; NaN outside. Its derivative in x1
 * is not differentiable further.
 */
export const gammainc = defineOp("math.Gammainc", (x1: TensorLike, x2: TensorLike): Tensor => {
  const common = resultType(x1, x2);
  const dtype = isFloat(common) ? common : floatx();
  const [first, second] = promoted([x1, x2], dtype) as [Tensor, Tensor];
  const shape = P.broadcastShapes(first.shape, second.shape, "gammainc");
  const inputs = [first, second].map((t) => P.broadcastTo(P.cast(t, "float32"), shape));
  const [value] = withGradient(
    "gammainc",
    inputs,
    ([a, x]) => regularized(a!, x!),
    ([g, gSlope], { inputs: [a, x], outputs: [, slope] }) => {
      if (gSlope) throw new Error("gammainc: its derivative in the first argument cannot be differentiated again.");
      return [P.multiply(g!, slope!), P.multiply(g!, slopeInX(a!, x!))];
    },
  );
  return P.cast(value!, dtype);
});
