import { polynomial } from "./polynomial.js";
import { sinPi } from "./sin-pi.js";

/** Bernoulli numbers B(2k) over 2k, for the even powers of 1/x. */
const DIGAMMA = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12];
/** Bernoulli numbers B(2k). */
const BERNOULLI = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798];

/** The derivative of log(gamma(x)); NaN at zero and at negative integers. About 1e-15, absolute near its zeros. */
export function digamma(x: number): number {
  if (x <= 0) {
    if (Number.isInteger(x) || x === -Infinity) return NaN;
    // Reflection; the tangent is taken of the fractional part, which is exact.
    return digamma(1 - x) - Math.PI / Math.tan(Math.PI * (x - Math.round(x)));
  }
  if (x === Infinity) return Infinity;
  let shift = 0;
  let base = x;
  while (base < 10) shift += 1 / base++;
  const square = 1 / (base * base);
  return Math.log(base) - 0.5 / base - square * polynomial(DIGAMMA, square) - shift;
}

/** The second derivative of log(gamma(x)); infinite at zero and at negative integers. */
export function trigamma(x: number): number {
  if (x > 0) return hurwitzZeta(2, x);
  if (Number.isInteger(x)) return Infinity;
  return (Math.PI / sinPi(x)) ** 2 - hurwitzZeta(2, 1 - x);
}

/** The derivative of order `n` of digamma; from the second order on only for positive `x` (NaN otherwise). */
export function polygamma(n: number, x: number): number {
  if (n === 0) return digamma(x);
  if (n === 1) return trigamma(x);
  let factorial = 1;
  for (let k = 2; k <= n; k++) factorial *= k;
  return (n % 2 === 0 ? -factorial : factorial) * hurwitzZeta(n + 1, x);
}

/** Hurwitz' zeta function, the sum of (x + k)^-s over k >= 0, for s > 1 and x > 0 (Euler-Maclaurin formula). */
export function hurwitzZeta(s: number, x: number): number {
  if (!(x > 0) || !(s > 1)) return NaN;
  if (x === Infinity) return 0;
  let sum = 0;
  let base = x;
  for (; base < 10 + s; base++) sum += base ** -s;
  let term = base ** -s;
  sum += (term * base) / (s - 1) + term / 2;
  // The derivative of order 2k - 1 over (2k)!.
  term *= s / (2 * base);
  for (let k = 0; k < BERNOULLI.length; k++) {
    sum += BERNOULLI[k]! * term;
    term *= ((s + 2 * k + 1) * (s + 2 * k + 2)) / ((2 * k + 3) * (2 * k + 4) * base * base);
  }
  return sum;
}
