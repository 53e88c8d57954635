import { identity } from "./matrix.js";
import { solveTriangular } from "./triangular.js";

/** A factorisation P L U by Gaussian elimination with partial pivoting. */
export interface LU {
  /** U in the upper triangle, L (with a diagonal of ones) below it; m x n. */
  readonly lu: Float64Array;
  /** Row that step i exchanged with row i, as LAPACK counts from zero; min(m, n) entries. */
  readonly pivots: Int32Array;
  /** Row of the original matrix that stands at row i of L U; m entries. */
  readonly permutation: Int32Array;
  /** Determinant of the permutation: 1 or -1. */
  readonly sign: number;
  /** Whether a pivot was zero. */
  readonly singular: boolean;
}

/** Factorises a matrix of `m` rows and `n` columns. */
export function luFactor(a: Float64Array, m: number, n: number): LU {
  const lu = a.slice();
  const steps = Math.min(m, n);
  const pivots = new Int32Array(steps);
  const permutation = Int32Array.from({ length: m }, (_, i) => i);
  let sign = 1;
  let singular = false;
  for (let k = 0; k < steps; k++) {
    let pivotRow = k;
    let size = Math.abs(lu[k * n + k]!);
    for (let i = k + 1; i < m; i++) {
      const candidate = Math.abs(lu[i * n + k]!);
      if (candidate > size) {
        size = candidate;
        pivotRow = i;
      }
    }
    pivots[k] = pivotRow;
    if (size === 0) {
      singular = true;
      continue;
    }
    if (pivotRow !== k) {
      sign = -sign;
      const upper = lu.slice(k * n, (k + 1) * n);
      lu.copyWithin(k * n, pivotRow * n, (pivotRow + 1) * n);
      lu.set(upper, pivotRow * n);
      const kept = permutation[k]!;
      permutation[k] = permutation[pivotRow]!;
      permutation[pivotRow] = kept;
    }
    const pivot = lu[k * n + k]!;
    for (let i = k + 1; i < m; i++) {
      const factor = lu[i * n + k]! / pivot;
      lu[i * n + k] = factor;
      if (factor !== 0) for (let j = k + 1; j < n; j++) lu[i * n + j]! -= factor * lu[k * n + j]!;
    }
  }
  return { lu, pivots, permutation, sign, singular };
}

/** The solution (n x columns) of a x = b from the factorisation of the square matrix a of `n` rows. */
export function luSolve(factors: LU, n: number, b: Float64Array, columns: number): Float64Array {
  const permuted = new Float64Array(n * columns);
  factors.permutation.forEach((source, row) => {
    permuted.set(b.subarray(source * columns, (source + 1) * columns), row * columns);
  });
  const y = solveTriangular(factors.lu, n, permuted, columns, { lower: true, unitDiagonal: true });
  return solveTriangular(factors.lu, n, y, columns);
}

/** The solution (n x columns) of a x = b for a square matrix a of `n` rows; infinite or NaN elements when singular. */
export function solve(a: Float64Array, n: number, b: Float64Array, columns: number): Float64Array {
  return luSolve(luFactor(a, n, n), n, b, columns);
}

/** The inverse of a square matrix of `n` rows; infinite or NaN elements when singular. */
export function inverse(a: Float64Array, n: number): Float64Array {
  return solve(a, n, identity(n), n);
}

/** The determinant of a square matrix of `n` rows (1 for none). */
export function determinant(a: Float64Array, n: number): number {
  const { lu, sign } = luFactor(a, n, n);
  let product = sign;
  for (let i = 0; i < n; i++) product *= lu[i * n + i]!;
  return product;
}

/** Sign and logarithm of the magnitude of the determinant of a square matrix of `n` rows; (0, -Infinity) when singular. */
export function signLogDeterminant(a: Float64Array, n: number): { sign: number; logDeterminant: number } {
  const factors = luFactor(a, n, n);
  let sign = factors.sign;
  let logDeterminant = 0;
  for (let i = 0; i < n; i++) {
    const pivot = factors.lu[i * n + i]!;
    sign *= Math.sign(pivot);
    logDeterminant += Math.log(Math.abs(pivot));
  }
  return { sign, logDeterminant };
}
