/** Complex numbers as pairs; results of functions lie in the pair `out` they are given. */
export type Pair = Float64Array;
export type ComplexFunction = (re: number, im: number, out: Pair) => void;

function set(out: Pair, re: number, im: number): void {
  out[0] = re;
  out[1] = im;
}

export const multiply = (a: number, b: number, c: number, d: number, out: Pair): void =>
  set(out, a * c - b * d, a * d + b * c);

/** Quotient by Smith's method (1962), which does not overflow where the result does not. */
export function divide(a: number, b: number, c: number, d: number, out: Pair): void {
  if (c === 0 && d === 0) return set(out, a / Math.abs(c), b / Math.abs(c));
  if (Math.abs(c) >= Math.abs(d)) {
    const ratio = d / c;
    const scale = c + d * ratio;
    set(out, (a + b * ratio) / scale, (b - a * ratio) / scale);
  } else {
    const ratio = c / d;
    const scale = c * ratio + d;
    set(out, (a * ratio + b) / scale, (b * ratio - a) / scale);
  }
}

export const negative: ComplexFunction = (re, im, out) => set(out, -re, -im);
export const conjugate: ComplexFunction = (re, im, out) => set(out, re, -im);
/** The unit number in the same direction; 0 for 0. */
export const sign: ComplexFunction = (re, im, out) => {
  const length = Math.hypot(re, im);
  if (length === 0) set(out, 0, 0);
  else set(out, re / length, im / length);
};

/** The root with a real part that is not negative. */
export const sqrt: ComplexFunction = (re, im, out) => {
  if (re === 0 && im === 0) return set(out, 0, im);
  const root = Math.sqrt((Math.abs(re) + Math.hypot(re, im)) / 2);
  const other = im / (2 * root);
  if (re >= 0) set(out, root, other);
  else set(out, Math.abs(other), im < 0 || Object.is(im, -0) ? -root : root);
};
export const rsqrt: ComplexFunction = (re, im, out) => {
  sqrt(re, im, out);
  divide(1, 0, out[0]!, out[1]!, out);
};
export const exp: ComplexFunction = (re, im, out) => {
  const scale = Math.exp(re);
  set(out, scale * Math.cos(im), im === 0 ? im : scale * Math.sin(im));
};
export const expm1: ComplexFunction = (re, im, out) => {
  // exp(x) cos y - 1 = expm1(x) cos y - 2 sin²(y / 2), which keeps the digits near zero.
  const half = Math.sin(im / 2);
  set(out, Math.expm1(re) * Math.cos(im) - 2 * half * half, Math.exp(re) * Math.sin(im));
};
export const log: ComplexFunction = (re, im, out) => set(out, Math.log(Math.hypot(re, im)), Math.atan2(im, re));
export const log1p: ComplexFunction = (re, im, out) =>
  set(out, 0.5 * Math.log1p(re * (2 + re) + im * im), Math.atan2(im, 1 + re));
export const sinh: ComplexFunction = (re, im, out) =>
  set(out, Math.sinh(re) * Math.cos(im), Math.cosh(re) * Math.sin(im));
export const cosh: ComplexFunction = (re, im, out) =>
  set(out, Math.cosh(re) * Math.cos(im), Math.sinh(re) * Math.sin(im));
export const tanh: ComplexFunction = (re, im, out) => {
  if (Math.abs(re) > 20) return set(out, Math.sign(re), (4 * Math.exp(-2 * Math.abs(re)) * Math.sin(2 * im)) / 2);
  const scale = Math.cosh(2 * re) + Math.cos(2 * im);
  set(out, Math.sinh(2 * re) / scale, Math.sin(2 * im) / scale);
};

/** f(z) = -i g(iz): how circular functions come from hyperbolic ones, and their inverses. */
const turned =
  (hyperbolic: ComplexFunction): ComplexFunction =>
  (re, im, out) => {
    hyperbolic(-im, re, out);
    set(out, out[1]!, -out[0]!);
  };
export const sin = turned(sinh);
export const tan = turned(tanh);
export const cos: ComplexFunction = (re, im, out) => cosh(-im, re, out);

/** Hull, Fairgrieve and Tang (1997) for the general plan; here through logarithms in float64, rounded to float32 later. */
export const asinh: ComplexFunction = (re, im, out) => {
  // Odd: computed on the right half-plane, where the logarithm does not cancel.
  const flip = re < 0 || Object.is(re, -0);
  const x = flip ? -re : re;
  const y = flip ? -im : im;
  sqrt(1 + (x - y) * (x + y), 2 * x * y, out);
  log(x + out[0]!, y + out[1]!, out);
  if (flip) set(out, -out[0]!, -out[1]!);
};
export const acosh: ComplexFunction = (re, im, out) => {
  sqrt(re - 1, im, out);
  const [a, b] = [out[0]!, out[1]!];
  sqrt(re + 1, im, out);
  multiply(a, b, out[0]!, out[1]!, out);
  log(re + out[0]!, im + out[1]!, out);
};
export const atanh: ComplexFunction = (re, im, out) => {
  const square = im * im;
  const scale = (1 - re) * (1 - re) + square;
  set(out, 0.25 * Math.log1p((4 * re) / scale), 0.5 * Math.atan2(2 * im, (1 - re) * (1 + re) - square));
};
export const asin = turned(asinh);
export const atan = turned(atanh);
export const acos: ComplexFunction = (re, im, out) => {
  asin(re, im, out);
  set(out, Math.PI / 2 - out[0]!, -out[1]!);
};
/** 1 / (1 + exp(-z)). */
export const sigmoid: ComplexFunction = (re, im, out) => {
  exp(-re, -im, out);
  divide(1, 0, 1 + out[0]!, out[1]!, out);
};

export function power(a: number, b: number, c: number, d: number, out: Pair): void {
  if (a === 0 && b === 0) return c === 0 && d === 0 ? set(out, 1, 0) : set(out, 0, 0);
  log(a, b, out);
  multiply(out[0]!, out[1]!, c, d, out);
  exp(out[0]!, out[1]!, out);
}
