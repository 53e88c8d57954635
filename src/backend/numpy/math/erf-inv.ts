import { erf, erfc } from "./erf.js";

/** Giles' single-precision polynomials ("Approximating the erfinv function", 2010), highest power first. */
const GILES_CENTER = [
  2.81022636e-8, 3.43273939e-7, -3.5233877e-6, -4.39150654e-6, 0.00021858087, -0.00125372503, -0.00417768164,
  0.246640727, 1.50140941,
].map(Math.fround);
const GILES_TAIL = [
  -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
  1.00167406, 2.83297682,
].map(Math.fround);

/** Giles' approximation of erfInv(x) / x as a function of w = -log(1 - x^2), each step rounded once to float32. */
export function gilesFloat32(w: number): number {
  const center = w < 5;
  const coefficients = center ? GILES_CENTER : GILES_TAIL;
  const variable = center ? Math.fround(w - 2.5) : Math.fround(Math.fround(Math.sqrt(w)) - 3);
  let sum = coefficients[0]!;
  // The product of two float32 numbers is exact, so this is a fused multiply and add.
  for (let i = 1; i < 9; i++) sum = Math.fround(sum * variable + coefficients[i]!);
  return sum;
}

/** The inverse of erf on [-1, 1], to about 1e-15 relative; infinite at the ends, NaN outside. */
export function erfInv(x: number): number {
  const size = Math.abs(x);
  if (!(size < 1)) return size === 1 ? x * Infinity : NaN;
  if (size < 1e-9) return x * (Math.sqrt(Math.PI) / 2);
  const rest = 1 - size;
  const w = -Math.log(rest * (1 + size));
  // Beyond float32's range the approximation is poor; the leading term of the tail is a better start.
  let y = w < 16 ? size * gilesFloat32(w) : Math.sqrt(w - 0.5 * Math.log(Math.PI * w));
  for (let step = w < 16 ? 1 : 3; step > 0; step--) {
    // Halley's method on erf, or on erfc where erf is close to one.
    const error = size < 0.5 ? erf(y) - size : rest - erfc(y);
    const newton = (error * Math.sqrt(Math.PI)) / (2 * Math.exp(-y * y));
    y -= newton / (1 + y * newton);
  }
  return x < 0 ? -y : y;
}
