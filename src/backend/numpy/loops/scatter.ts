import type { Lane } from "../lanes.js";

/** Joins `n` updates with the elements they meet. */
export type ScatterLoop<L> = (n: number, out: L, o: number, updates: L, u: number) => void;

export const set: ScatterLoop<Lane> = (n, out, o, updates, u) => {
  for (let i = 0; i < n; i++) out[o + i] = updates[u + i]!;
};
export const addFloat: ScatterLoop<Float32Array> = (n, out, o, updates, u) => {
  for (let i = 0; i < n; i++) out[o + i] = out[o + i]! + updates[u + i]!;
};
export const add: ScatterLoop<Lane> = (n, out, o, updates, u) => {
  for (let i = 0; i < n; i++) out[o + i] = out[o + i]! + updates[u + i]!;
};
export const multiplyFloat: ScatterLoop<Float32Array> = (n, out, o, updates, u) => {
  for (let i = 0; i < n; i++) out[o + i] = out[o + i]! * updates[u + i]!;
};
export const multiplyInt: ScatterLoop<Lane> = (n, out, o, updates, u) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.imul(out[o + i]!, updates[u + i]!);
};
export const max: ScatterLoop<Lane> = (n, out, o, updates, u) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.max(out[o + i]!, updates[u + i]!);
};
export const min: ScatterLoop<Lane> = (n, out, o, updates, u) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.min(out[o + i]!, updates[u + i]!);
};
