import { makeReflection, readReflection, reflectColumns, reflectRows } from "./householder.js";
import { identity, transpose } from "./matrix.js";

/**
 * Scales rows and columns of a matrix of `n` rows, in place, by powers of two until their norms are alike (Parlett and
 * Reinsch, 1969), which makes its eigenvalues better conditioned. Returns the factors: row i of an eigenvector of the
 * original is `factors[i]` times that of the balanced matrix.
 */
export function balance(a: Float64Array, n: number): Float64Array {
  const factors = new Float64Array(n).fill(1);
  for (let changed = true; changed;) {
    changed = false;
    for (let i = 0; i < n; i++) {
      let column = 0;
      let row = 0;
      for (let j = 0; j < n; j++) {
        if (j === i) continue;
        column += Math.abs(a[j * n + i]!);
        row += Math.abs(a[i * n + j]!);
      }
      if (column === 0 || row === 0) continue;
      const factor = 2 ** Math.round(Math.log2(row / column) / 2);
      if (column * factor + row / factor >= 0.95 * (column + row)) continue;
      changed = true;
      factors[i]! *= factor;
      for (let j = 0; j < n; j++) {
        a[i * n + j]! /= factor;
        a[j * n + i]! *= factor;
      }
    }
  }
  return factors;
}

/**
 * Reduces a matrix of `n` rows, in place, to Hessenberg form Q^T a Q (zero below the first subdiagonal) by reflections.
 * Returns Q^T.
 */
export function hessenberg(a: Float64Array, n: number): Float64Array {
  const v = new Float64Array(n);
  const work = new Float64Array(n);
  const taus = new Float64Array(n);
  for (let k = 0; k < n - 2; k++) {
    const start = (k + 1) * n + k;
    const count = n - k - 1;
    taus[k] = makeReflection(a, start, n, count);
    readReflection(a, start, n, count, v);
    reflectRows(a, n, k + 1, k + 1, v, count, taus[k]!, work);
    reflectColumns(a, n, 0, n, k + 1, v, count, taus[k]!);
  }
  const q = identity(n);
  for (let k = n - 3; k >= 0; k--) {
    readReflection(a, (k + 1) * n + k, n, n - k - 1, v);
    reflectRows(q, n, k + 1, k + 1, v, n - k - 1, taus[k]!, work);
  }
  for (let i = 2; i < n; i++) a.fill(0, i * n, i * n + i - 1);
  return transpose(q, n, n);
}
