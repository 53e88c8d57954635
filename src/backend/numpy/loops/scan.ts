import type { Lane } from "../lanes.js";

/** Running folds of `lines` neighbouring sequences: element i of all, then i + 1 of all. */
export interface RunningFold {
  /** `count` elements at `step` from each other; `sums` has one accumulator for each of the `lines` neighbours. */
  (count: number, lines: number, x: Lane, out: Lane, at: number, step: number, sums: Float64Array): void;
}

export const runningSum: RunningFold = (count, lines, x, out, at, step, sums) => {
  if (lines === 1) {
    let total = 0;
    for (let i = 0; i < count; i++, at += step) out[at] = total += x[at]!;
    return;
  }
  sums.fill(0);
  for (let i = 0; i < count; i++, at += step) {
    for (let j = 0; j < lines; j++) out[at + j] = sums[j] = sums[j]! + x[at + j]!;
  }
};
export const runningProduct: RunningFold = (count, lines, x, out, at, step, sums) => {
  if (lines === 1) {
    let total = 1;
    for (let i = 0; i < count; i++, at += step) out[at] = total *= x[at]!;
    return;
  }
  sums.fill(1);
  for (let i = 0; i < count; i++, at += step) {
    for (let j = 0; j < lines; j++) out[at + j] = sums[j] = sums[j]! * x[at + j]!;
  }
};
/** Products modulo 2^32. */
export const runningProductInt: RunningFold = (count, lines, x, out, at, step, sums) => {
  sums.fill(1);
  for (let i = 0; i < count; i++, at += step) {
    for (let j = 0; j < lines; j++) out[at + j] = sums[j] = Math.imul(sums[j]!, x[at + j]!);
  }
};
