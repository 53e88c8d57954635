import type { BinaryLoop } from "../elementwise.js";

type Int = BinaryLoop<Int32Array>;
type Uint = BinaryLoop<Uint32Array>;

// Storing to a typed array takes results modulo 2^32, so sums and differences wrap by themselves.
export const add: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! + y[yi + i]!;
};
export const subtract: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! - y[yi + i]!;
};
export const multiply: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.imul(x[xi + i]!, y[yi + i]!);
};
/** Truncated; division by zero gives all ones. */
export const divide: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const d = y[yi + i]!;
    out[o + i] = d === 0 ? -1 : x[xi + i]! / d;
  }
};
/** With the sign of the dividend, which is the remainder of a division by zero. */
export const remainder: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const d = y[yi + i]!;
    out[o + i] = d === 0 ? x[xi + i]! : x[xi + i]! % d;
  }
};
/** x to the y modulo 2^32 by repeated squaring; of a negative exponent the lowest six bits count, as in JAX. */
function integerPower(x: number, y: number): number {
  let result = 1;
  let base = x;
  for (let rest = y < 0 ? y & 63 : y; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = Math.imul(result, base);
    base = Math.imul(base, base);
  }
  return result;
}
export const power: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = integerPower(x[xi + i]!, y[yi + i]!);
};
export const maximum: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const a = x[xi + i]!;
    const b = y[yi + i]!;
    out[o + i] = a > b ? a : b;
  }
};
export const minimum: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const a = x[xi + i]!;
    const b = y[yi + i]!;
    out[o + i] = a < b ? a : b;
  }
};
export const bitwiseAnd: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! & y[yi + i]!;
};
export const bitwiseOr: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! | y[yi + i]!;
};
export const bitwiseXor: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! ^ y[yi + i]!;
};
/** Zero from the width of the type on; narrower types cut what leaves them when they are stored. */
export const shiftLeft: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const by = y[yi + i]!;
    out[o + i] = by >>> 0 < 32 ? x[xi + i]! << by : 0;
  }
};
export const shiftRightLogical: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const by = y[yi + i]!;
    out[o + i] = by >>> 0 < 32 ? x[xi + i]! >>> by : 0;
  }
};
/** Filled with the sign from the width of the type on. */
export const shiftRightArithmetic: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const by = y[yi + i]!;
    out[o + i] = x[xi + i]! >> (by >>> 0 < 32 ? by : 31);
  }
};

export const divideUnsigned: Uint = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const d = y[yi + i]!;
    out[o + i] = d === 0 ? 0xffffffff : x[xi + i]! / d;
  }
};
export const remainderUnsigned: Uint = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const d = y[yi + i]!;
    out[o + i] = d === 0 ? x[xi + i]! : x[xi + i]! % d;
  }
};
export const powerUnsigned: Uint = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = integerPower(x[xi + i]!, y[yi + i]!);
};
export const maximumUnsigned: Uint = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const a = x[xi + i]!;
    const b = y[yi + i]!;
    out[o + i] = a > b ? a : b;
  }
};
export const minimumUnsigned: Uint = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const a = x[xi + i]!;
    const b = y[yi + i]!;
    out[o + i] = a < b ? a : b;
  }
};
