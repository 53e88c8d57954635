/** How the triangle of a system is to be read. */
export interface TriangularOptions {
  /** The system's matrix is the lower triangle; otherwise the upper one. */
  readonly lower?: boolean;
  /** Solves with the transpose of that triangle. */
  readonly transposed?: boolean;
  /** Takes the diagonal as ones without reading it. */
  readonly unitDiagonal?: boolean;
}

/**
 * The solution x (n x columns) of t x = b for a triangular matrix t of `n` rows, of which the other triangle is not read.
 * A zero on the diagonal gives infinite or NaN elements.
 */
export function solveTriangular(
  t: Float64Array,
  n: number,
  b: Float64Array,
  columns: number,
  options: TriangularOptions = {},
): Float64Array {
  const { lower = false, transposed = false, unitDiagonal = false } = options;
  const x = b.slice();
  const forwards = lower !== transposed;
  for (let step = 0; step < n; step++) {
    const i = forwards ? step : n - 1 - step;
    const row = i * columns;
    for (let k = forwards ? 0 : i + 1; k < (forwards ? i : n); k++) {
      const factor = transposed ? t[k * n + i]! : t[i * n + k]!;
      if (factor === 0) continue;
      const known = k * columns;
      for (let j = 0; j < columns; j++) x[row + j]! -= factor * x[known + j]!;
    }
    if (unitDiagonal) continue;
    const pivot = t[i * n + i]!;
    for (let j = 0; j < columns; j++) x[row + j]! /= pivot;
  }
  return x;
}
