import { makeReflection, readReflection, reflectRows } from "./householder.js";
import { identity } from "./matrix.js";

/** Factors of a = q r: `k` columns of q and rows of r, with k = min(m, n) when reduced and m when complete. */
export interface QR {
  /** Orthonormal columns, m x k. */
  readonly q: Float64Array;
  /** Upper triangular (trapezoidal), k x n; the signs of the diagonal are LAPACK's. */
  readonly r: Float64Array;
  readonly k: number;
}

/** QR factorisation of a matrix of `m` rows and `n` columns by Householder reflections. */
export function qr(a: Float64Array, m: number, n: number, mode: "reduced" | "complete" = "reduced"): QR {
  const steps = Math.min(m, n);
  const k = mode === "complete" ? m : steps;
  const packed = a.slice();
  const v = new Float64Array(m);
  const work = new Float64Array(Math.max(n, k));
  const taus = new Float64Array(steps);
  for (let j = 0; j < steps; j++) {
    const start = j * n + j;
    taus[j] = makeReflection(packed, start, n, m - j);
    readReflection(packed, start, n, m - j, v);
    reflectRows(packed, n, j, j + 1, v, m - j, taus[j]!, work);
  }
  const r = new Float64Array(k * n);
  for (let i = 0; i < steps; i++) r.set(packed.subarray(i * n + i, (i + 1) * n), i * n + i);
  const q = identity(m, k);
  for (let j = steps - 1; j >= 0; j--) {
    readReflection(packed, j * n + j, n, m - j, v);
    reflectRows(q, k, j, j, v, m - j, taus[j]!, work);
  }
  return { q, r, k };
}
