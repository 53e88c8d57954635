import { EPSILON, largest } from "./matrix.js";
import { makeReflection } from "./householder.js";
import { rotateRows } from "./rotation.js";
import { reflectFewColumns, reflectFewRows } from "./small-reflection.js";

/**
 * Brings a Hessenberg matrix `h` of `n` rows, in place, to real Schur form by Francis' implicit double-shift QR steps:
 * upper triangular but for blocks of two rows that belong to pairs of complex eigenvalues. `qt` (Q^T on entry) follows.
 * Returns whether the iterations converged.
 */
export function schur(h: Float64Array, qt: Float64Array, n: number): boolean {
  const size = largest(h);
  const negligible = (i: number) => {
    const neighbours = Math.abs(h[(i - 1) * n + i - 1]!) + Math.abs(h[i * n + i]!);
    return Math.abs(h[i * n + i - 1]!) <= EPSILON * (neighbours === 0 ? size : neighbours);
  };
  let end = n - 1;
  let sinceDeflation = 0;
  while (end > 0) {
    let start = end;
    while (start > 0 && !negligible(start)) start--;
    if (start > 0) h[start * n + start - 1] = 0;
    if (start >= end - 1) {
      if (start === end - 1) splitBlock(h, qt, n, start);
      end = start - 1;
      sinceDeflation = 0;
      continue;
    }
    sinceDeflation++;
    if (sinceDeflation > 100) return false;
    francisStep(h, qt, n, start, end, sinceDeflation % 10 === 0);
  }
  return true;
}

/** Makes the block of rows `k` and `k + 1` triangular when its eigenvalues are real. */
function splitBlock(h: Float64Array, qt: Float64Array, n: number, k: number): void {
  const a = h[k * n + k]!;
  const b = h[k * n + k + 1]!;
  const c = h[(k + 1) * n + k]!;
  const d = h[(k + 1) * n + k + 1]!;
  const p = (a - d) / 2;
  const discriminant = p * p + b * c;
  if (discriminant < 0) return;
  // The eigenvalue d + z that does not suffer cancellation has the vector (z, c).
  const z = p + (p < 0 ? -Math.sqrt(discriminant) : Math.sqrt(discriminant));
  const r = Math.hypot(z, c);
  rotatePlane(h, n, k, z / r, c / r);
  rotateRows(qt, n, k, k + 1, z / r, c / r);
  h[(k + 1) * n + k] = 0;
}

/** h = G h G^T for the rotation G of rows `k` and `k + 1`. */
function rotatePlane(h: Float64Array, n: number, k: number, c: number, s: number): void {
  rotateRows(h, n, k, k + 1, c, s);
  for (let i = 0; i < n; i++) {
    const x = h[i * n + k]!;
    const y = h[i * n + k + 1]!;
    h[i * n + k] = c * x + s * y;
    h[i * n + k + 1] = c * y - s * x;
  }
}

/** One double-shift step on the rows `start` to `end`, at least three; `exceptional` shifts break cycles. */
function francisStep(
  h: Float64Array,
  qt: Float64Array,
  n: number,
  start: number,
  end: number,
  exceptional: boolean,
): void {
  const at = (i: number, j: number) => h[i * n + j]!;
  let trace = at(end - 1, end - 1) + at(end, end);
  let determinant = at(end - 1, end - 1) * at(end, end) - at(end - 1, end) * at(end, end - 1);
  if (exceptional) {
    const reach = Math.abs(at(end, end - 1)) + Math.abs(at(end - 1, end - 2));
    trace = 1.5 * reach;
    determinant = reach * reach;
  }
  // First column of (h - shift1)(h - shift2).
  const x = new Float64Array(3);
  const h00 = at(start, start);
  const h10 = at(start + 1, start);
  x[0] = h00 * h00 + at(start, start + 1) * h10 - trace * h00 + determinant;
  x[1] = h10 * (h00 + at(start + 1, start + 1) - trace);
  x[2] = h10 * at(start + 2, start + 1);
  for (let k = start; k < end; k++) {
    const count = Math.min(3, end - k + 1);
    if (k > start) for (let i = 0; i < count; i++) x[i] = at(k + i, k - 1);
    const tau = makeReflection(x, 0, 1, count);
    if (k > start) {
      h[k * n + k - 1] = x[0]!;
      for (let i = 1; i < count; i++) h[(k + i) * n + k - 1] = 0;
    }
    const third = count === 3;
    reflectFewRows(h, n, k, k, x[1]!, x[2]!, tau, third);
    reflectFewColumns(h, n, Math.min(k + 4, end + 1), k, x[1]!, x[2]!, tau, third);
    reflectFewRows(qt, n, k, 0, x[1]!, x[2]!, tau, third);
  }
}
