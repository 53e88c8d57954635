import { polynomial } from "./polynomial.js";

/** Chebyshev fit of erf(x) / x in x^2 on [0, 1], as a polynomial. */
// prettier-ignore
const CENTER = [
  1.1283791670955126, -0.3761263890318375, 0.11283791670954882, -0.026866170645077334, 0.005223977624823223,
  -0.0008548326981129666, 0.00012055331122299266, -1.4925595519506043e-5, 1.6461004480962034e-6, -1.6350354461959655e-7,
  1.4660051998394848e-8, -1.1373902296430911e-9, 5.958930743134941e-11,
];

/** Chebyshev fit of exp(x^2) erfc(x) / t with t = 4 / (4 + x) for t in [0.125, 0.8], as a polynomial on [-1, 1]. */
// prettier-ignore
const TAIL = [
  0.25672142530571496, 0.14667117083310732, 0.07540407971542132, 0.03465825670242042, 0.014099080085087758,
  0.004995885802520582, 0.0015012330755330909, 0.00036361151392409616, 6.26974439581137e-5, 4.13277863124884e-6,
  -1.5347477282360548e-6, -5.50165885522201e-7, -4.3374743279753374e-8, 2.0071445970051676e-8, 5.8106691135883535e-9,
  -2.7301016500341257e-10, -3.767660202847595e-10, -2.4982590157661468e-11, 1.7089670634398848e-11,
  2.3508937741724636e-12,
];

/** exp(x^2) erfc(x) for 1 <= x <= 28. */
function scaledTail(x: number): number {
  const t = 4 / (4 + x);
  return t * polynomial(TAIL, (2 * t - 0.925) / 0.675);
}

/** The error function, to a few units of 1e-16 relative. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size <= 1) return x * polynomial(CENTER, x * x);
  if (size > 6) return Math.sign(x);
  if (size !== size) return NaN;
  const value = 1 - Math.exp(-size * size) * scaledTail(size);
  return x < 0 ? -value : value;
}

/** The complementary error function 1 - erf(x), without cancellation: about 1e-15 relative while it does not underflow. */
export function erfc(x: number): number {
  if (x < -1) return 2 - erfc(-x);
  if (x <= 1) return 1 - erf(x);
  if (x > 27.5) return 0;
  // The square of a float32 value is exact; what that leaves of x^2 is small.
  const head = Math.fround(x);
  return Math.exp(-head * head) * Math.exp(-(x - head) * (x + head)) * scaledTail(x);
}
