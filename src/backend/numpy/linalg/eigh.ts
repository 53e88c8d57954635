import { makeReflection, readReflection, reflectRows } from "./householder.js";
import { allFinite, identity, scaleOf, transpose } from "./matrix.js";
import { double, single, tridiagonalEigen } from "./tridiagonal.js";

/** Eigenvalues (ascending) and orthonormal eigenvectors (the columns of an n x n matrix) of a symmetric matrix. */
export interface SymmetricEigen {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/**
 * Eigendecomposition of a symmetric matrix of `n` rows, of which only the lower triangle is read: Householder reduction to
 * tridiagonal form, then QL or QR iterations. All NaN when an element is infinite or NaN. Vectors have the signs that LAPACK's syevd
 * gives matrices of float32 with up to 25 rows: they depend on how many iterations there are, and so on the precision.
 */
export function eigh(a: Float64Array, n: number): SymmetricEigen {
  const work = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) work[i * n + j] = work[j * n + i] = a[i * n + j]!;
  }
  if (!allFinite(work)) return { values: new Float64Array(n).fill(NaN), vectors: work.fill(NaN) };
  const scale = scaleOf(work);
  for (let i = 0; i < work.length; i++) work[i]! *= scale;
  const { diagonal, below, basis } = tridiagonalize(work, n);
  const rough = diagonal.map(Math.fround);
  const signs = tridiagonalEigen(rough, below.map(Math.fround), n, single);
  const inner = tridiagonalEigen(diagonal, below, n, double);
  alignRows(inner, signs, n);
  return { values: diagonal.map((value) => value / scale), vectors: transpose(multiplyRows(inner, basis, n), n, n) };
}

/** Turns the rows of `a` that point away from those of `b`. */
function alignRows(a: Float64Array, b: Float64Array, n: number): void {
  for (let start = 0; start < n * n; start += n) {
    let sum = 0;
    for (let j = start; j < start + n; j++) sum += a[j]! * b[j]!;
    if (sum < 0) for (let j = start; j < start + n; j++) a[j] = -a[j]!;
  }
}
/** The product of two matrices of `n` rows. */
function multiplyRows(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const product = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const factor = a[i * n + k]!;
      if (factor !== 0) for (let j = 0; j < n; j++) product[i * n + j]! += factor * b[k * n + j]!;
    }
  }
  return product;
}

/** Reduces `a`, which is overwritten; the rows of `basis` are the vectors that `a` is tridiagonal in. */
function tridiagonalize(a: Float64Array, n: number) {
  const diagonal = new Float64Array(n);
  const below = new Float64Array(Math.max(n - 1, 0));
  const taus = new Float64Array(n);
  const v = new Float64Array(n);
  const p = new Float64Array(n);
  for (let k = 0; k < n - 1; k++) {
    const first = k + 1;
    const count = n - first;
    const start = first * n + k;
    const tau = makeReflection(a, start, n, count);
    taus[k] = tau;
    diagonal[k] = a[k * n + k]!;
    below[k] = a[start]!;
    if (tau === 0) continue;
    readReflection(a, start, n, count, v);
    // The rest becomes H A H = A - v w^T - w v^T with w = tau (A v - (tau / 2) (v^T A v) v).
    let inner = 0;
    for (let i = 0; i < count; i++) {
      const row = (first + i) * n + first;
      let sum = 0;
      for (let j = 0; j < count; j++) sum += a[row + j]! * v[j]!;
      p[i] = tau * sum;
      inner += p[i]! * v[i]!;
    }
    const half = 0.5 * tau * inner;
    for (let i = 0; i < count; i++) p[i]! -= half * v[i]!;
    for (let i = 0; i < count; i++) {
      const row = (first + i) * n + first;
      const vi = v[i]!;
      const wi = p[i]!;
      for (let j = 0; j < count; j++) a[row + j]! -= vi * p[j]! + wi * v[j]!;
    }
  }
  if (n > 0) diagonal[n - 1] = a[n * n - 1]!;
  const vectors = identity(n);
  for (let k = n - 2; k >= 0; k--) {
    readReflection(a, (k + 1) * n + k, n, n - k - 1, v);
    reflectRows(vectors, n, k + 1, k + 1, v, n - k - 1, taus[k]!, p);
  }
  return { diagonal, below, basis: transpose(vectors, n, n) };
}
