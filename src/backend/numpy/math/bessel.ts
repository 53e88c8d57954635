import { polynomial } from "./polynomial.js";

/** Chebyshev fits of sqrt(x) exp(-x) I(x) for x >= 8, as polynomials in 16 / x - 1. */
// prettier-ignore
const I0_LARGE = [
  0.4021765094450081, 0.0033605519836678614, 0.000136216074391933, 1.1143033790961047e-5, 1.483847565694612e-6,
  2.973598580201828e-7, 8.872220016310152e-8, 3.932585441521576e-8, 2.1548348120383337e-8, 7.55461091884025e-9,
  -6.747470098269011e-9, -1.3408557428207536e-8, -5.405517269207345e-9, 7.551558640958472e-9, 7.432404612065215e-9,
  -3.5040633542273254e-9, -5.9569227090834045e-9, 1.517784160869916e-9, 3.6417691423716375e-9, -5.698481274502595e-10,
  -1.6217233037622311e-9, 1.5204619343142587e-10, 4.5883811893591594e-10, -2.0121660725301668e-11,
  -6.087920506418346e-11,
];
// prettier-ignore
const I1_LARGE = [
  0.38939845902587233, -0.009749577193235735, -0.00021923576383389248, -1.5038547200604514e-5, -1.8349101325266945e-6,
  -3.483855750288686e-7, -1.0001288652811704e-7, -4.312919152408303e-8, -2.3373889824319202e-8, -8.427662000337765e-9,
  6.734223286411141e-9, 1.4033775786092511e-8, 5.9753963568900625e-9, -7.641077035708734e-9, -7.89084571736582e-9,
  3.4237872341121742e-9, 6.247052521277461e-9, -1.4357711123551839e-9, -3.799575208540565e-9, 5.273302353441019e-10,
  1.6884246356603367e-9, -1.3915733337938674e-10, -4.773338969885796e-10, 1.8336479041941535e-11,
  6.332050689155494e-11,
];

/** Taylor coefficients 1 / (k! (k + order)!) of I(x) / (x/2)^order in x^2 / 4, enough for x <= 8. */
function taylor(order: number): number[] {
  const coefficients = [1];
  for (let k = 1; k < 26; k++) coefficients.push(coefficients[k - 1]! / (k * (k + order)));
  return coefficients;
}
const I0_SMALL = taylor(0);
const I1_SMALL = taylor(1);

/** exp(-|x|) I0(x), with the modified Bessel function of the first kind of order zero. */
export function besselI0e(x: number): number {
  const size = Math.abs(x);
  if (size <= 8) return Math.exp(-size) * polynomial(I0_SMALL, 0.25 * x * x);
  return polynomial(I0_LARGE, 16 / size - 1) / Math.sqrt(size);
}

/** exp(-|x|) I1(x), with the modified Bessel function of the first kind of order one. */
export function besselI1e(x: number): number {
  const size = Math.abs(x);
  if (size <= 8) return 0.5 * x * Math.exp(-size) * polynomial(I1_SMALL, 0.25 * x * x);
  return (Math.sign(x) * polynomial(I1_LARGE, 16 / size - 1)) / Math.sqrt(size);
}
