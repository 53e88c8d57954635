import type { Lanes } from "../lanes.js";

/** Writes 1 where the predicate holds. */
export type Predicate<L> = (n: number, x: L, xi: number, out: Uint8Array, o: number) => void;

export const isFinite: Predicate<Lanes["float"]> = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) {
    const v = x[xi + i]!;
    out[o + i] = v - v === 0 ? 1 : 0;
  }
};
export const isFiniteComplex: Predicate<Lanes["complex"]> = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) {
    const a = x[2 * (xi + i)]!;
    const b = x[2 * (xi + i) + 1]!;
    out[o + i] = a - a === 0 && b - b === 0 ? 1 : 0;
  }
};
export const always: Predicate<unknown> = (n, _x, _xi, out, o) => void out.fill(1, o, o + n);
export const isZero: Predicate<Lanes["float"]> = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i] === 0 ? 1 : 0;
};
export const isZeroInt: Predicate<Lanes["int"]> = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i] === 0 ? 1 : 0;
};
export const isZeroUint: Predicate<Lanes["uint"]> = (n, x, xi, out, o) => {
  for (let i = 0; i < n; i++) out[o + i] = x[xi + i] === 0 ? 1 : 0;
};
