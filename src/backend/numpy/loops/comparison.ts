import type { Lane } from "../lanes.js";

/** Writes 1 where the comparison holds. */
export type Comparison<L extends Lane> = (
  n: number,
  x: L,
  xi: number,
  y: L,
  yi: number,
  out: Uint8Array,
  o: number,
) => void;
type Float = Comparison<Float32Array>;
type Int = Comparison<Int32Array>;
type Uint = Comparison<Uint32Array>;

export const equal: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! === y[yi + i]! ? 1 : 0;
};
export const notEqual: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! !== y[yi + i]! ? 1 : 0;
};
export const less: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! < y[yi + i]! ? 1 : 0;
};
export const lessEqual: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! <= y[yi + i]! ? 1 : 0;
};

export const equalInt: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! === y[yi + i]! ? 1 : 0;
};
export const notEqualInt: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! !== y[yi + i]! ? 1 : 0;
};
export const lessInt: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! < y[yi + i]! ? 1 : 0;
};
export const lessEqualInt: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! <= y[yi + i]! ? 1 : 0;
};

export const lessUint: Uint = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! < y[yi + i]! ? 1 : 0;
};
export const lessEqualUint: Uint = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! <= y[yi + i]! ? 1 : 0;
};

export const equalComplex: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const p = 2 * (xi + i);
    const q = 2 * (yi + i);
    out[o + i] = x[p]! === y[q]! && x[p + 1]! === y[q + 1]! ? 1 : 0;
  }
};
export const notEqualComplex: Float = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) {
    const p = 2 * (xi + i);
    const q = 2 * (yi + i);
    out[o + i] = x[p]! !== y[q]! || x[p + 1]! !== y[q + 1]! ? 1 : 0;
  }
};

/** Operands of bools, whose storage is 0 and 1. */
export const and: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! & y[yi + i]!;
};
export const or: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! | y[yi + i]!;
};
export const xor: Int = (n, x, xi, y, yi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i]! ^ y[yi + i]!;
};
