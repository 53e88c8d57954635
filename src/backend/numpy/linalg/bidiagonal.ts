import { EPSILON, largest } from "./matrix.js";
import { rotateRows } from "./rotation.js";

/** Rows that follow the rotations: left vectors of length m, right vectors of length n. */
interface Vectors {
  readonly ut: Float64Array;
  readonly vt: Float64Array;
  readonly m: number;
  readonly n: number;
}

/**
 * QR iterations on the upper bidiagonal matrix with diagonal `d` and superdiagonal `e`: `d` becomes the singular values
 * (not negative, not sorted), and the rows of `ut` and `vt` their vectors.
 */
export function diagonalizeBidiagonal(d: Float64Array, e: Float64Array, vectors: Vectors): void {
  const { vt, n } = vectors;
  const tiny = EPSILON * Math.max(largest(d), largest(e));
  const negligible = (i: number) =>
    Math.abs(e[i]!) <= EPSILON * (Math.abs(d[i]!) + Math.abs(d[i + 1]!)) || Math.abs(e[i]!) <= EPSILON * tiny;
  let end = n - 1;
  for (let budget = 60 * n; end > 0 && budget > 0; budget--) {
    if (negligible(end - 1)) {
      e[end - 1] = 0;
      end--;
      continue;
    }
    let start = end - 1;
    while (start > 0 && !negligible(start - 1)) start--;
    let zero = start;
    while (zero <= end && Math.abs(d[zero]!) > tiny) zero++;
    if (zero < end) clearRow(d, e, vectors, zero, end);
    else if (zero === end) clearColumn(d, e, vectors, start, end);
    else sweep(d, e, vectors, start, end);
  }
  for (let i = 0; i < n; i++) {
    if (d[i]! >= 0 && !Object.is(d[i], -0)) continue;
    d[i] = -d[i]!;
    for (let j = i * n; j < (i + 1) * n; j++) vt[j] = -vt[j]!;
  }
}

/** With d[row] negligible, rotates e[row] away through the rows below, which splits the matrix after `row`. */
function clearRow(d: Float64Array, e: Float64Array, { ut, m }: Vectors, row: number, end: number): void {
  d[row] = 0;
  let stray = e[row]!;
  e[row] = 0;
  for (let k = row + 1; k <= end && stray !== 0; k++) {
    const r = Math.hypot(d[k]!, stray);
    const c = d[k]! / r;
    const s = stray / r;
    d[k] = r;
    if (k < end) {
      stray = -s * e[k]!;
      e[k]! *= c;
    }
    rotateRows(ut, m, k, row, c, s);
  }
}

/** With d[end] negligible, rotates e[end - 1] away through the columns before, which splits off the last column. */
function clearColumn(d: Float64Array, e: Float64Array, { vt, n }: Vectors, start: number, end: number): void {
  d[end] = 0;
  let stray = e[end - 1]!;
  e[end - 1] = 0;
  for (let k = end - 1; k >= start && stray !== 0; k--) {
    const r = Math.hypot(d[k]!, stray);
    const c = d[k]! / r;
    const s = stray / r;
    d[k] = r;
    if (k > start) {
      stray = -s * e[k - 1]!;
      e[k - 1]! *= c;
    }
    rotateRows(vt, n, k, end, c, s);
  }
}

/** One implicit QR step with Wilkinson's shift of B^T B on rows `start` to `end`. */
function sweep(d: Float64Array, e: Float64Array, { ut, vt, m, n }: Vectors, start: number, end: number): void {
  const before = end - 1 > start ? e[end - 2]! : 0;
  const upper = d[end - 1]! ** 2 + before ** 2;
  const lower = d[end]! ** 2 + e[end - 1]! ** 2;
  const off = d[end - 1]! * e[end - 1]!;
  const delta = (upper - lower) / 2;
  const root = Math.hypot(delta, off);
  const shift = off === 0 ? lower : lower - (off * off) / (delta + (delta < 0 ? -root : root));
  let y = d[start]! ** 2 - shift;
  let z = d[start]! * e[start]!;
  for (let k = start; k < end; k++) {
    let r = Math.hypot(y, z);
    let c = r === 0 ? 1 : y / r;
    let s = r === 0 ? 0 : z / r;
    if (k > start) e[k - 1] = r;
    y = c * d[k]! + s * e[k]!;
    e[k] = c * e[k]! - s * d[k]!;
    z = s * d[k + 1]!;
    d[k + 1]! *= c;
    rotateRows(vt, n, k, k + 1, c, s);
    r = Math.hypot(y, z);
    c = r === 0 ? 1 : y / r;
    s = r === 0 ? 0 : z / r;
    d[k] = r;
    y = c * e[k]! + s * d[k + 1]!;
    d[k + 1] = c * d[k + 1]! - s * e[k]!;
    e[k] = y;
    if (k < end - 1) {
      z = s * e[k + 1]!;
      e[k + 1]! *= c;
    }
    rotateRows(ut, m, k, k + 1, c, s);
  }
}
