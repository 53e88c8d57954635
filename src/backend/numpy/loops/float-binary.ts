import type { BinaryLoop } from "../elementwise.js";
import { nextAfterFloat32 } from "../math/next-after.js";

type Float = BinaryLoop<Float32Array>;

// One loop written out for each op: a loop that took the op as a function would be shared, and its calls never inlined.
export const add: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! + y[yi + i]!;
};
export const subtract: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! - y[yi + i]!;
};
export const multiply: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! * y[yi + i]!;
};
export const divide: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! / y[yi + i]!;
};
export const remainder: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! % y[yi + i]!;
};
/** A NaN in either operand wins, and 0 is above -0. */
export const maximum: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.max(x[xi + i]!, y[yi + i]!);
};
export const minimum: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.min(x[xi + i]!, y[yi + i]!);
};
/** As C's pow: 1 for a base of 1 or an exponent of 0, and for -1 to an infinite power, where JavaScript says NaN. */
export const power: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const a = x[xi + i]!;
    const b = y[yi + i]!;
    out[o + i] = b === 2 ? a * a : a === 1 || (a === -1 && (b === Infinity || b === -Infinity)) ? 1 : a ** b;
  }
};
export const atan2: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.atan2(x[xi + i]!, y[yi + i]!);
};
export const nextAfter: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = nextAfterFloat32(x[xi + i]!, y[yi + i]!);
};
