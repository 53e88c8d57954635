/*
 * A reduction is two loops: `row` folds n elements at a stride into one value, `column` folds n elements into as many
 * accumulators. Accumulators are float64, which makes sums of float32 exact to about 1e-16 an addition.
 */
export type RowLoop<L> = (n: number, x: L, at: number, step: number) => number;
export type ColumnLoop<L> = (
  n: number,
  x: L,
  at: number,
  step: number,
  sums: Float64Array,
  s: number,
  sStep: number,
) => void;
export interface Reduction<L> {
  readonly row: RowLoop<L>;
  readonly column: ColumnLoop<L>;
  /** Joins a row's value with an accumulator. */
  readonly join: (a: number, b: number) => number;
}
type Numbers = Float32Array | Int32Array | Uint32Array | Uint8Array;

export const sum: Reduction<Float32Array> = {
  row(n, x, at, step) {
    // Four chains of additions run side by side.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i + 3 < n; i += 4, at += 4 * step) {
      a += x[at]!;
      b += x[at + step]!;
      c += x[at + 2 * step]!;
      d += x[at + 3 * step]!;
    }
    for (; i < n; i++, at += step) a += x[at]!;
    return a + b + (c + d);
  },
  column(n, x, at, step, sums, s, sStep) {
    for (let i = 0; i < n; i++) sums[s + i * sStep] = sums[s + i * sStep]! + x[at + i * step]!;
  },
  join: (a, b) => a + b,
};
/** Modulo 2^32; accumulators hold whole numbers. */
export const sumInt: Reduction<Numbers> = {
  row(n, x, at, step) {
    let a = 0;
    for (let i = 0; i < n; i++) a = (a + x[at + i * step]!) | 0;
    return a;
  },
  column(n, x, at, step, sums, s, sStep) {
    for (let i = 0; i < n; i++) sums[s + i * sStep] = (sums[s + i * sStep]! + x[at + i * step]!) | 0;
  },
  join: (a, b) => (a + b) | 0,
};
export const product: Reduction<Float32Array> = {
  row(n, x, at, step) {
    let a = 1;
    let b = 1;
    let i = 0;
    for (; i + 1 < n; i += 2, at += 2 * step) {
      a *= x[at]!;
      b *= x[at + step]!;
    }
    return i < n ? a * b * x[at]! : a * b;
  },
  column(n, x, at, step, sums, s, sStep) {
    for (let i = 0; i < n; i++) sums[s + i * sStep] = sums[s + i * sStep]! * x[at + i * step]!;
  },
  join: (a, b) => a * b,
};
export const productInt: Reduction<Numbers> = {
  row(n, x, at, step) {
    let a = 1;
    for (let i = 0; i < n; i++) a = Math.imul(a, x[at + i * step]!);
    return a;
  },
  column(n, x, at, step, sums, s, sStep) {
    for (let i = 0; i < n; i++) sums[s + i * sStep] = Math.imul(sums[s + i * sStep]!, x[at + i * step]!);
  },
  join: (a, b) => Math.imul(a, b),
};
/** Math.max and Math.min let NaN win and order zeros by sign, as XLA does. */
export const max: Reduction<Float32Array> = {
  row(n, x, at, step) {
    let a = -Infinity;
    let b = -Infinity;
    let c = -Infinity;
    let d = -Infinity;
    let i = 0;
    for (; i + 3 < n; i += 4, at += 4 * step) {
      a = Math.max(a, x[at]!);
      b = Math.max(b, x[at + step]!);
      c = Math.max(c, x[at + 2 * step]!);
      d = Math.max(d, x[at + 3 * step]!);
    }
    for (; i < n; i++, at += step) a = Math.max(a, x[at]!);
    return Math.max(Math.max(a, b), Math.max(c, d));
  },
  column(n, x, at, step, sums, s, sStep) {
    for (let i = 0; i < n; i++) sums[s + i * sStep] = Math.max(sums[s + i * sStep]!, x[at + i * step]!);
  },
  join: Math.max,
};
export const min: Reduction<Float32Array> = {
  row(n, x, at, step) {
    let a = Infinity;
    let b = Infinity;
    let c = Infinity;
    let d = Infinity;
    let i = 0;
    for (; i + 3 < n; i += 4, at += 4 * step) {
      a = Math.min(a, x[at]!);
      b = Math.min(b, x[at + step]!);
      c = Math.min(c, x[at + 2 * step]!);
      d = Math.min(d, x[at + 3 * step]!);
    }
    for (; i < n; i++, at += step) a = Math.min(a, x[at]!);
    return Math.min(Math.min(a, b), Math.min(c, d));
  },
  column(n, x, at, step, sums, s, sStep) {
    for (let i = 0; i < n; i++) sums[s + i * sStep] = Math.min(sums[s + i * sStep]!, x[at + i * step]!);
  },
  join: Math.min,
};
export const maxInt: Reduction<Numbers> = {
  row(n, x, at, step) {
    let a = -Infinity;
    for (let i = 0; i < n; i++) a = Math.max(a, x[at + i * step]!);
    return a;
  },
  column(n, x, at, step, sums, s, sStep) {
    for (let i = 0; i < n; i++) sums[s + i * sStep] = Math.max(sums[s + i * sStep]!, x[at + i * step]!);
  },
  join: Math.max,
};
export const minInt: Reduction<Numbers> = {
  row(n, x, at, step) {
    let a = Infinity;
    for (let i = 0; i < n; i++) a = Math.min(a, x[at + i * step]!);
    return a;
  },
  column(n, x, at, step, sums, s, sStep) {
    for (let i = 0; i < n; i++) sums[s + i * sStep] = Math.min(sums[s + i * sStep]!, x[at + i * step]!);
  },
  join: Math.min,
};
