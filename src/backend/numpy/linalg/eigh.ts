import { makeReflection, readReflection, reflectRows } from "./householder.js";
import { EPSILON, identity, allFinite, scaleOf, transpose } from "./matrix.js";
import { rotateRows } from "./rotation.js";

/** Eigenvalues (ascending) and orthonormal eigenvectors (the columns of an n x n matrix) of a symmetric matrix. */
export interface SymmetricEigen {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/**
 * Eigendecomposition of a symmetric matrix of `n` rows, of which only the lower triangle is read: Householder reduction to
 * tridiagonal form, then QR iterations with Wilkinson's shift. All NaN when an element is infinite or NaN.
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
  diagonalize(diagonal, below, basis, n);
  const order = Array.from(diagonal.keys()).sort((i, j) => diagonal[i]! - diagonal[j]!);
  const sorted = new Float64Array(n * n);
  order.forEach((source, i) => sorted.set(basis.subarray(source * n, (source + 1) * n), i * n));
  return {
    values: Float64Array.from(order, (source) => diagonal[source]! / scale),
    vectors: transpose(sorted, n, n),
  };
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

/** QR iterations on a tridiagonal matrix: `d` becomes the eigenvalues, the rows of `basis` the eigenvectors. */
function diagonalize(d: Float64Array, e: Float64Array, basis: Float64Array, n: number): void {
  const negligible = (i: number) => Math.abs(e[i]!) <= EPSILON * (Math.abs(d[i]!) + Math.abs(d[i + 1]!));
  let end = n - 1;
  for (let budget = 60 * n; end > 0 && budget > 0; budget--) {
    if (negligible(end - 1)) {
      end--;
      continue;
    }
    let start = end - 1;
    while (start > 0 && !negligible(start - 1)) start--;
    const delta = (d[end - 1]! - d[end]!) / 2;
    const last = e[end - 1]!;
    const root = Math.hypot(delta, last);
    const shift = d[end]! - (last * last) / (delta + (delta < 0 ? -root : root));
    let x = d[start]! - shift;
    let z = e[start]!;
    for (let k = start; k < end; k++) {
      const r = Math.hypot(x, z);
      const c = r === 0 ? 1 : x / r;
      const s = r === 0 ? 0 : z / r;
      if (k > start) e[k - 1] = r;
      const d0 = d[k]!;
      const d1 = d[k + 1]!;
      const off = e[k]!;
      const move = s * (s * (d1 - d0) + 2 * c * off);
      d[k] = d0 + move;
      d[k + 1] = d1 - move;
      e[k] = c * s * (d1 - d0) + (c - s) * (c + s) * off;
      if (k < end - 1) {
        x = e[k]!;
        z = s * e[k + 1]!;
        e[k + 1]! *= c;
      }
      rotateRows(basis, n, k, k + 1, c, s);
    }
  }
}
