import type { UnaryLoop } from "../elementwise.js";
import { roundHalfEven } from "../math/round-half-even.js";

type Float = UnaryLoop<Float32Array>;

// Cheap functions are written out as loops of their own, so that they are inlined; for the others a call costs little.
export const negative: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = -x[xi + i]!;
};
export const abs: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.abs(x[xi + i]!);
};
export const sign: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) {
    const v = x[xi + i]!;
    out[o + i] = v > 0 ? 1 : v < 0 ? -1 : v;
  }
};
export const floor: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.floor(x[xi + i]!);
};
export const ceil: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.ceil(x[xi + i]!);
};
export const round: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = roundHalfEven(x[xi + i]!);
};
export const sqrt: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.sqrt(x[xi + i]!);
};
export const rsqrt: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = 1 / Math.sqrt(x[xi + i]!);
};
export const exp: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.exp(x[xi + i]!);
};
export const expm1: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.expm1(x[xi + i]!);
};
export const log: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log(x[xi + i]!);
};
export const log1p: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log1p(x[xi + i]!);
};
export const sin: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.sin(x[xi + i]!);
};
export const cos: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.cos(x[xi + i]!);
};
export const tanh: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) {
    const v = x[xi + i]!;
    if (v > 10 || v < -10) out[o + i] = v > 0 ? 1 : -1;
    else if (v > 0.05 || v < -0.05) out[o + i] = 1 - 2 / (Math.exp(2 * v) + 1);
    else out[o + i] = Math.tanh(v);
  }
};
export const sigmoid: Float = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = 1 / (1 + Math.exp(-x[xi + i]!));
};

/** A loop that calls `f`: for functions that take far longer than a call. */
export const calling =
  (f: (x: number) => number): Float =>
  (n, x, xi, out, o) => {
    for (let i = 0; i < n; i++) out[o + i] = f(x[xi + i]!);
  };
