import { makeReflection, readReflection, reflectColumns, reflectRows } from "./householder.js";
import { diagonalizeBidiagonal } from "./bidiagonal.js";
import { identity, allFinite, scaleOf, transpose } from "./matrix.js";

/** Factors of a = u diag(values) vt. */
export interface SVD {
  /** Left singular vectors as columns: m x k, or m x m when full. */
  readonly u: Float64Array;
  /** The k = min(m, n) singular values, descending. */
  readonly values: Float64Array;
  /** Right singular vectors as rows: k x n, or n x n when full. */
  readonly vt: Float64Array;
}

/**
 * Singular value decomposition of a matrix of `m` rows and `n` columns: reduction to bidiagonal form, then QR iterations
 * (Golub and Reinsch, 1970). All NaN when an element is infinite or NaN.
 */
export function svd(a: Float64Array, m: number, n: number, fullMatrices = false): SVD {
  if (m < n) {
    const { u, values, vt } = svd(transpose(a, m, n), n, m, fullMatrices);
    const columns = fullMatrices ? n : m;
    return { u: transpose(vt, m, m), values, vt: transpose(u, n, columns) };
  }
  const columns = fullMatrices ? m : n;
  if (!allFinite(a)) {
    const nan = (size: number) => new Float64Array(size).fill(NaN);
    return { u: nan(m * columns), values: nan(n), vt: nan(n * n) };
  }
  const scale = scaleOf(a);
  const { diagonal, above, ut, vt } = bidiagonalize(
    a.map((x) => x * scale),
    m,
    n,
    columns,
  );
  diagonalizeBidiagonal(diagonal, above, { ut, vt, m, n });
  const order = Array.from(diagonal.keys()).sort((i, j) => diagonal[j]! - diagonal[i]!);
  const left = ut.slice();
  const right = new Float64Array(n * n);
  order.forEach((source, i) => {
    left.set(ut.subarray(source * m, (source + 1) * m), i * m);
    right.set(vt.subarray(source * n, (source + 1) * n), i * n);
  });
  return {
    u: transpose(left, columns, m),
    values: Float64Array.from(order, (source) => diagonal[source]! / scale),
    vt: right,
  };
}

/**
 * a = U B V^T with B upper bidiagonal, for m >= n; `a` is overwritten. Vectors are returned as rows, so that rotations
 * work on contiguous memory.
 */
function bidiagonalize(a: Float64Array, m: number, n: number, columns: number) {
  const diagonal = new Float64Array(n);
  const above = new Float64Array(Math.max(n - 1, 0));
  const leftTaus = new Float64Array(n);
  const rightTaus = new Float64Array(n);
  const v = new Float64Array(m);
  const work = new Float64Array(Math.max(m, n));
  for (let k = 0; k < n; k++) {
    const start = k * n + k;
    leftTaus[k] = makeReflection(a, start, n, m - k);
    diagonal[k] = a[start]!;
    readReflection(a, start, n, m - k, v);
    reflectRows(a, n, k, k + 1, v, m - k, leftTaus[k]!, work);
    if (k === n - 1) continue;
    rightTaus[k] = makeReflection(a, start + 1, 1, n - k - 1);
    above[k] = a[start + 1]!;
    readReflection(a, start + 1, 1, n - k - 1, v);
    reflectColumns(a, n, k + 1, m, k + 1, v, n - k - 1, rightTaus[k]!);
  }
  const u = identity(m, columns);
  const right = identity(n);
  for (let k = n - 1; k >= 0; k--) {
    readReflection(a, k * n + k, n, m - k, v);
    reflectRows(u, columns, k, k, v, m - k, leftTaus[k]!, work);
    if (k === n - 1) continue;
    readReflection(a, k * n + k + 1, 1, n - k - 1, v);
    reflectRows(right, n, k + 1, k + 1, v, n - k - 1, rightTaus[k]!, work);
  }
  return { diagonal, above, ut: transpose(u, m, columns), vt: transpose(right, n, n) };
}
