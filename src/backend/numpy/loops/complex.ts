import type { BinaryLoop, UnaryLoop } from "../elementwise.js";
import type { ComplexFunction, Pair } from "../math/complex.js";

const pair: Pair = new Float64Array(2);

/** Applies a function of one complex number, computed in float64. */
export const complexUnary =
  (f: ComplexFunction): UnaryLoop<Float32Array> =>
  (n, x, xi, out, o) => {
    for (let i = 0; i < n; i++) {
      const p = 2 * (xi + i);
      f(x[p]!, x[p + 1]!, pair);
      out[2 * (o + i)] = pair[0]!;
      out[2 * (o + i) + 1] = pair[1]!;
    }
  };

/** Applies a function of two complex numbers, computed in float64. */
export const complexBinary =
  (f: (a: number, b: number, c: number, d: number, out: Pair) => void): BinaryLoop<Float32Array> =>
  (n, x, xi, y, yi, out, o) => {
    for (let i = 0; i < n; i++) {
      const p = 2 * (xi + i);
      const q = 2 * (yi + i);
      f(x[p]!, x[p + 1]!, y[q]!, y[q + 1]!, pair);
      out[2 * (o + i)] = pair[0]!;
      out[2 * (o + i) + 1] = pair[1]!;
    }
  };

/** Adds the parts of numbers: complex addition is that of twice as many real numbers. */
export const addComplex: BinaryLoop<Float32Array> = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < 2 * n; i++) out[2 * o + i] = x[2 * xi + i]! + y[2 * yi + i]!;
};
export const subtractComplex: BinaryLoop<Float32Array> = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < 2 * n; i++) out[2 * o + i] = x[2 * xi + i]! - y[2 * yi + i]!;
};
/** Lexicographic order; the operand that is not smaller (or not larger). */
const extreme =
  (sign: 1 | -1): ((a: number, b: number, c: number, d: number, out: Pair) => void) =>
  (a, b, c, d, out) => {
    const first = a !== a || b !== b || (c === c && d === d && sign * (a === c ? b - d : a - c) >= 0);
    out[0] = first ? a : c;
    out[1] = first ? b : d;
  };
export const maximumComplex = complexBinary(extreme(1));
export const minimumComplex = complexBinary(extreme(-1));
/** Interleaves real and imaginary parts. */
export const joinParts: BinaryLoop<Float32Array> = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    out[2 * (o + i)] = x[xi + i]!;
    out[2 * (o + i) + 1] = y[yi + i]!;
  }
};
export const absComplex: UnaryLoop<Float32Array> = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.hypot(x[2 * (xi + i)]!, x[2 * (xi + i) + 1]!);
};
export const realPart: UnaryLoop<Float32Array> = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[2 * (xi + i)]!;
};
export const imagPart: UnaryLoop<Float32Array> = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[2 * (xi + i) + 1]!;
};
