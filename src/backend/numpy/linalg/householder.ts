/*
 * Householder reflections I - tau v v^T with v[0] = 1, as LAPACK chooses them: the reflected vector is (beta, 0, ..., 0)
 * with the sign of beta opposite to the first element, and a vector that is already of that form is left alone (tau = 0).
 */

/**
 * Turns the `count` elements of `x` from `start`, `stride` apart, into the vector v of the reflection that clears all but
 * the first. The first element receives beta (v[0] is understood to be one). Returns tau.
 */
export function makeReflection(x: Float64Array, start: number, stride: number, count: number): number {
  let size = 0;
  for (let i = 1; i < count; i++) size = Math.max(size, Math.abs(x[start + i * stride]!));
  if (size === 0 || count < 2) return 0;
  const alpha = x[start]!;
  size = Math.max(size, Math.abs(alpha));
  let sum = 0;
  for (let i = 0; i < count; i++) sum += (x[start + i * stride]! / size) ** 2;
  const norm = size * Math.sqrt(sum);
  const beta = alpha >= 0 && !Object.is(alpha, -0) ? -norm : norm;
  const divisor = alpha - beta;
  for (let i = 1; i < count; i++) x[start + i * stride]! /= divisor;
  x[start] = beta;
  return (beta - alpha) / beta;
}

/** Copies the vector that `makeReflection` left in `x` into `v`, with its leading one. */
export function readReflection(x: Float64Array, start: number, stride: number, count: number, v: Float64Array): void {
  v[0] = 1;
  for (let i = 1; i < count; i++) v[i] = x[start + i * stride]!;
}

/**
 * Reflects rows `row` to `row + count - 1` of `a` (rows of `width` elements), from column `column` on, in place; `work` is
 * scratch for `width` numbers.
 */
export function reflectRows(
  a: Float64Array,
  width: number,
  row: number,
  column: number,
  v: Float64Array,
  count: number,
  tau: number,
  work: Float64Array,
): void {
  if (tau === 0) return;
  for (let j = column; j < width; j++) work[j] = 0;
  for (let i = 0; i < count; i++) {
    const factor = v[i]!;
    const offset = (row + i) * width;
    if (factor !== 0) for (let j = column; j < width; j++) work[j]! += factor * a[offset + j]!;
  }
  for (let i = 0; i < count; i++) {
    const factor = tau * v[i]!;
    const offset = (row + i) * width;
    if (factor !== 0) for (let j = column; j < width; j++) a[offset + j]! -= factor * work[j]!;
  }
}

/** Reflects columns `column` to `column + count - 1` of the rows `row` to `rows - 1` of `a`, in place. */
export function reflectColumns(
  a: Float64Array,
  width: number,
  row: number,
  rows: number,
  column: number,
  v: Float64Array,
  count: number,
  tau: number,
): void {
  if (tau === 0) return;
  for (let i = row; i < rows; i++) {
    const offset = i * width + column;
    let sum = 0;
    for (let j = 0; j < count; j++) sum += a[offset + j]! * v[j]!;
    sum *= tau;
    for (let j = 0; j < count; j++) a[offset + j]! -= sum * v[j]!;
  }
}
