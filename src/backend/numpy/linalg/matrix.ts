/*
 * Matrices here are row-major Float64Arrays with their sizes passed beside them. Arguments are never changed; results are
 * new arrays.
 */

/** Relative spacing of float64 numbers at one. */
export const EPSILON = Number.EPSILON;

/** The identity of `rows` by `columns`. */
export function identity(rows: number, columns = rows): Float64Array {
  const result = new Float64Array(rows * columns);
  for (let i = 0; i < Math.min(rows, columns); i++) result[i * columns + i] = 1;
  return result;
}

/** The transpose (columns x rows) of a matrix of `rows` by `columns`. */
export function transpose(a: Float64Array, rows: number, columns: number): Float64Array {
  const result = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) result[j * rows + i] = a[i * columns + j]!;
  }
  return result;
}

/** Whether no element is infinite or NaN. */
export function allFinite(a: Float64Array): boolean {
  return a.every(Number.isFinite);
}

/** The largest magnitude among the elements, 0 for none. */
export function largest(a: Float64Array): number {
  let result = 0;
  for (let i = 0; i < a.length; i++) {
    const size = Math.abs(a[i]!);
    if (size > result) result = size;
  }
  return result;
}

/**
 * The power of two that brings the largest magnitude near one, so that squares neither overflow nor underflow; scaling
 * by it is exact.
 */
export function scaleOf(a: Float64Array): number {
  const size = largest(a);
  return size === 0 ? 1 : 2 ** -Math.max(-1000, Math.min(1000, Math.floor(Math.log2(size))));
}
