/**
 * The lower triangular factor L with L L^T = a of a symmetric matrix of `n` rows, of which only the lower triangle is
 * read; undefined when the matrix is not positive definite.
 */
export function cholesky(a: Float64Array, n: number): Float64Array | undefined {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= l[i * n + k]! * l[j * n + k]!;
      if (i !== j) l[i * n + j] = sum / l[j * n + j]!;
      else if (sum > 0 && sum < Infinity) l[i * n + i] = Math.sqrt(sum);
      else return undefined;
    }
  }
  return l;
}
