import { polynomial } from "./polynomial.js";
import { sinPi } from "./sin-pi.js";

/** Chebyshev fit of log(gamma(2 + z)) / z for z in [-0.5, 0.5], as a polynomial in 2 z. */
// prettier-ignore
const CENTER = [
  0.42278433509846713, 0.16123351671205663, -0.016838075263299536, 0.002572601053472542, -0.000461596939291756,
  9.032844784489912e-5, -1.8636779875052926e-5, 3.981793088659667e-6, -8.716982449081134e-7, 1.9425327031438992e-7,
  -4.387339030049162e-8, 1.001249236957858e-8, -2.3043102744274226e-9, 5.352455971471404e-10, -1.2481294697143873e-10,
  2.8075860826633894e-11, -6.566215046625873e-12, 2.1270762170785405e-12, -5.117684453811745e-13,
];

/** Stirling's series: Bernoulli numbers over 2k (2k - 1), for the odd powers of 1/x. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];
const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/**
 * The logarithm of |gamma(x)|; infinite at zero and at negative integers. About 1e-15 relative, except near the zeros
 * between negative integers, where the error is about 1e-15 absolute.
 */
export function lgamma(x: number): number {
  if (x < 0.5) {
    if (x > 0) return lgamma(1 + x) - Math.log(x);
    if (Number.isInteger(x) || x === -Infinity) return Infinity;
    return Math.log(Math.PI / Math.abs(sinPi(x))) - lgamma(1 - x);
  }
  if (x < 1.5) return (x - 1) * polynomial(CENTER, 2 * (x - 1)) - Math.log1p(x - 1);
  if (x < 8) {
    let product = 1;
    let base = x;
    while (base > 2.5) product *= --base;
    return (base - 2) * polynomial(CENTER, 2 * (base - 2)) + Math.log(product);
  }
  if (x === Infinity) return Infinity;
  const inverse = 1 / x;
  return (x - 0.5) * Math.log(x) - x + HALF_LOG_2PI + inverse * polynomial(STIRLING, inverse * inverse);
}
