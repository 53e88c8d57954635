/*
 * Logarithms in float32 arithmetic with the operations and coefficients of XLA's CPU compiler (after the Cephes library,
 * Moshier, 1989), so that random numbers equal JAX's to the last bit. Products of float32 numbers are exact in float64:
 * rounding a product plus a sum once is the fused operation that processors have.
 */
const fround = Math.fround;
const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

/** log(1 + z) - z + z^2/2, divided by z^3: three interleaved parts of four coefficients, highest power first. */
const HIGH = [0.070376836, -0.1151461, 0.116769984].map(fround);
const MIDDLE = [-0.12420141, 0.14249323, -0.16668057].map(fround);
const LOW = [0.20000714, -0.24999994, 0.3333333].map(fround);
const SQRT_HALF = fround(0.70710677);
/** log(2) in two parts. */
const LN2_HIGH = fround(0.6933594);
const LN2_LOW = fround(-0.00021219444);

const NUMERATOR = [4.527e-5, 0.49854103, 6.5787325, 29.911919, 60.94967, 57.112965, 20.039553].map(fround);
const DENOMINATOR = [1, 15.062909, 83.04757, 221.7624, 309.09872, 216.42789, 60.11866].map(fround);

/** Horner's scheme in fused float32 steps, highest power first. */
function horner(coefficients: readonly number[], x: number): number {
  let sum = coefficients[0]!;
  for (let i = 1; i < coefficients.length; i++) sum = fround(sum * x + coefficients[i]!);
  return sum;
}

/** The natural logarithm of a float32 number as XLA computes it on CPUs; subnormal numbers count as zero. */
export function logFloat32(x: number): number {
  if (!(x >= 2 ** -126)) return x > -(2 ** -126) ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  scratch[0] = x;
  const bits = scratchBits[0]!;
  let exponent = (bits >>> 23) - 126;
  scratchBits[0] = (bits & 0x7fffff) | 0x3f000000;
  const mantissa = scratch[0];
  let z = fround(mantissa - 1);
  if (mantissa < SQRT_HALF) {
    z = fround(z + mantissa);
    exponent--;
  }
  const square = fround(z * z);
  const cube = fround(square * z);
  let sum = fround(horner(HIGH, z) * cube + horner(MIDDLE, z));
  sum = fround(sum * cube + horner(LOW, z));
  sum = fround(sum * cube + fround(exponent * LN2_LOW));
  sum = fround(fround(z - 0.5 * square) + sum);
  return fround(exponent * LN2_HIGH + sum);
}

/** log(1 + x) of a float32 number as XLA computes it on CPUs. */
export function log1pFloat32(x: number): number {
  if (!(Math.abs(x) < fround(0.41421357))) return logFloat32(fround(1 + x));
  const square = fround(x * x);
  const quotient = fround(horner(NUMERATOR, x) / horner(DENOMINATOR, x));
  const cubic = fround(fround(x * square) * quotient);
  return fround(x + fround(cubic - 0.5 * square));
}
