import type { UnaryLoop } from "../elementwise.js";

type Int = UnaryLoop<Int32Array>;
type Uint = UnaryLoop<Uint32Array>;

export const negative: Int = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = -x[xi + i]!;
};
/** The lowest number is its own absolute value. */
export const abs: Int = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.abs(x[xi + i]!);
};
export const sign: Int = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) {
    const v = x[xi + i]!;
    out[o + i] = v > 0 ? 1 : v < 0 ? -1 : 0;
  }
};
export const same: Int = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]!;
};
export const bitwiseNot: Int = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = ~x[xi + i]!;
};
export const zero: Int = (n, _x, _xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = 0;
};

export const negativeUnsigned: Uint = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = -x[xi + i]!;
};
export const signUnsigned: Uint = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! === 0 ? 0 : 1;
};
export const sameUnsigned: Uint = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]!;
};
export const bitwiseNotUnsigned: Uint = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = ~x[xi + i]!;
};
export const zeroUnsigned: Uint = (n, _x, _xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = 0;
};
