import { balance, hessenberg } from "./hessenberg.js";
import { EPSILON, allFinite, largest, scaleOf } from "./matrix.js";
import { schur } from "./schur.js";

/** Eigenvalues and right eigenvectors (columns of n x n) of a general matrix, as real and imaginary parts. */
export interface Eigen {
  readonly valuesRe: Float64Array;
  readonly valuesIm: Float64Array;
  readonly vectorsRe: Float64Array;
  readonly vectorsIm: Float64Array;
}

/**
 * Eigendecomposition of a matrix of `n` rows. Conjugate pairs follow each other, the one with positive imaginary part
 * first; vectors have norm one, and the largest element of a complex one is real (the convention of LAPACK's geev). All
 * NaN when an element is infinite or NaN, or when the iterations do not converge.
 */
export function eig(a: Float64Array, n: number): Eigen {
  const result: Eigen = {
    valuesRe: new Float64Array(n),
    valuesIm: new Float64Array(n),
    vectorsRe: new Float64Array(n * n),
    vectorsIm: new Float64Array(n * n),
  };
  const scale = scaleOf(a);
  const t = a.map((x) => x * scale);
  let converged = allFinite(a);
  if (converged) {
    const factors = balance(t, n);
    const qt = hessenberg(t, n);
    converged = schur(t, qt, n);
    if (converged) fillEigen(t, qt, factors, n, result);
  }
  if (!converged) for (const part of Object.values<Float64Array>({ ...result })) part.fill(NaN);
  for (const values of [result.valuesRe, result.valuesIm]) {
    for (let i = 0; i < n; i++) values[i]! /= scale;
  }
  return result;
}

function fillEigen(t: Float64Array, qt: Float64Array, factors: Float64Array, n: number, result: Eigen): void {
  const { valuesRe, valuesIm } = result;
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  const smallest = Math.max(EPSILON * largest(t), Number.MIN_VALUE);
  for (let k = 0; k < n; k++) {
    re.fill(0);
    im.fill(0);
    re[k] = 1;
    const paired = k + 1 < n && t[(k + 1) * n + k] !== 0;
    if (!paired) {
      valuesRe[k] = t[k * n + k]!;
      backSubstitute(t, n, k - 1, valuesRe[k]!, 0, re, im, smallest);
      storeVector(qt, factors, n, k, k, re, im, result);
      continue;
    }
    const [p, b, c, q] = [t[k * n + k]!, t[k * n + k + 1]!, t[(k + 1) * n + k]!, t[(k + 1) * n + k + 1]!];
    const half = (p - q) / 2;
    const imaginary = Math.sqrt(Math.max(0, -(half * half + b * c)));
    valuesRe[k] = valuesRe[k + 1] = (p + q) / 2;
    valuesIm[k] = imaginary;
    valuesIm[k + 1] = -imaginary;
    // Second row of the block: c x0 + (q - value) x1 = 0.
    re[k] = half;
    im[k] = imaginary;
    re[k + 1] = c;
    backSubstitute(t, n, k - 1, valuesRe[k]!, imaginary, re, im, smallest);
    storeVector(qt, factors, n, k, k + 1, re, im, result);
    k++;
  }
}

/**
 * Completes upwards from row `last` the eigenvector (re, im) of the quasi-triangular `t` for the eigenvalue wr + i wi;
 * divisors below `smallest` are replaced by it.
 */
function backSubstitute(
  t: Float64Array,
  n: number,
  last: number,
  wr: number,
  wi: number,
  re: Float64Array,
  im: Float64Array,
  smallest: number,
): void {
  const known = (row: number, from: number): [number, number] => {
    let sumRe = 0;
    let sumIm = 0;
    for (let i = from; i < n; i++) {
      const factor = t[row * n + i]!;
      sumRe -= factor * re[i]!;
      sumIm -= factor * im[i]!;
    }
    return [sumRe, sumIm];
  };
  for (let j = last; j >= 0; j--) {
    const [rRe, rIm] = known(j, j + 1);
    const a = t[j * n + j]! - wr;
    if (j === 0 || t[j * n + j - 1] === 0) {
      [re[j], im[j]] = divide(rRe, rIm, a, -wi, smallest);
    } else {
      // Rows j - 1 and j belong together: Cramer's rule.
      const i = j - 1;
      const [sRe, sIm] = known(i, j + 1);
      const top = t[i * n + i]! - wr;
      const b = t[i * n + j]!;
      const c = t[j * n + i]!;
      const detRe = top * a - wi * wi - b * c;
      const detIm = -wi * (top + a);
      [re[i], im[i]] = divide(a * sRe + wi * sIm - b * rRe, a * sIm - wi * sRe - b * rIm, detRe, detIm, smallest ** 2);
      [re[j], im[j]] = divide(
        top * rRe + wi * rIm - c * sRe,
        top * rIm - wi * rRe - c * sIm,
        detRe,
        detIm,
        smallest ** 2,
      );
      j--;
    }
    const size = Math.max(Math.abs(re[j]!), Math.abs(im[j]!));
    if (size > 1e100) {
      for (let i = 0; i < n; i++) {
        re[i]! /= size;
        im[i]! /= size;
      }
    }
  }
}

/** (a + ib) / (c + id), with a divisor of at least `smallest`. */
function divide(a: number, b: number, c: number, d: number, smallest: number): [number, number] {
  const square = c * c + d * d;
  if (!(square > smallest * smallest)) return [a / smallest, b / smallest];
  return [(a * c + b * d) / square, (b * c - a * d) / square];
}

/** Transforms the vector back, normalises it, and stores it in `column` (its conjugate in `conjugate`, if another). */
function storeVector(
  qt: Float64Array,
  factors: Float64Array,
  n: number,
  column: number,
  conjugate: number,
  re: Float64Array,
  im: Float64Array,
  { vectorsRe, vectorsIm }: Eigen,
): void {
  const outRe = new Float64Array(n);
  const outIm = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    if (re[k] === 0 && im[k] === 0) continue;
    for (let i = 0; i < n; i++) {
      outRe[i]! += qt[k * n + i]! * re[k]!;
      outIm[i]! += qt[k * n + i]! * im[k]!;
    }
  }
  for (let i = 0; i < n; i++) {
    outRe[i]! *= factors[i]!;
    outIm[i]! *= factors[i]!;
  }
  const size = Math.max(largest(outRe), largest(outIm));
  let sum = 0;
  let peak = 0;
  for (let i = 0; i < n; i++) {
    const square = (outRe[i]! / size) ** 2 + (outIm[i]! / size) ** 2;
    sum += square;
    if (square > (outRe[peak]! / size) ** 2 + (outIm[peak]! / size) ** 2) peak = i;
  }
  const norm = size * Math.sqrt(sum);
  // A complex vector is turned until its largest element is real and positive; a real one keeps its sign.
  const turn = Math.hypot(outRe[peak]!, outIm[peak]!);
  const c = column === conjugate ? 1 : outRe[peak]! / turn;
  const s = column === conjugate ? 0 : -outIm[peak]! / turn;
  for (let i = 0; i < n; i++) {
    const x = (c * outRe[i]! - s * outIm[i]!) / norm;
    const y = i === peak ? 0 : (c * outIm[i]! + s * outRe[i]!) / norm;
    vectorsRe[i * n + column] = vectorsRe[i * n + conjugate] = x;
    vectorsIm[i * n + conjugate] = -y;
    vectorsIm[i * n + column] = y;
  }
  if (column === conjugate) for (let i = 0; i < n; i++) vectorsIm[i * n + column] = 0;
}
