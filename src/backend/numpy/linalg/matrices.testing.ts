/** Matrices and measures for the tests of this folder. */
import { defaultRng } from "../../../utils/random/generator.js";
import { identity, largest, transpose } from "./matrix.js";

const rng = defaultRng(1);

/** A matrix of normal random numbers. */
export function random(m: number, n: number): Float64Array {
  return rng.standardNormal(m * n);
}

/** The product (m x n) of an m x k and a k x n matrix. */
export function multiply(a: Float64Array, b: Float64Array, m: number, k: number, n: number): Float64Array {
  const result = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let l = 0; l < k; l++) {
      for (let j = 0; j < n; j++) result[i * n + j]! += a[i * k + l]! * b[l * n + j]!;
    }
  }
  return result;
}

/** The largest difference of two arrays, relative to the largest magnitude in `scale`; NaN when there is one. */
export function distance(a: Float64Array, b: Float64Array, scale = b): number {
  if (a.length !== b.length) return NaN;
  const size = largest(scale) || 1;
  return a.reduce((worst, x, i) => Math.max(worst, Math.abs(x - b[i]!) / size), 0);
}

/** How far the columns of an m x n matrix are from orthonormal. */
export function skewness(q: Float64Array, m: number, n: number): number {
  return distance(multiply(transpose(q, m, n), q, n, m, n), identity(n));
}

function build(n: number, element: (i: number, j: number) => number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, k) => element(Math.floor(k / n), k % n));
}

/** Square matrices with something awkward about them. */
export const awkward: readonly { name: string; n: number; a: Float64Array }[] = [
  { name: "empty", n: 0, a: new Float64Array(0) },
  { name: "1 x 1", n: 1, a: Float64Array.of(-3) },
  { name: "random 2 x 2", n: 2, a: random(2, 2) },
  { name: "random 10 x 10", n: 10, a: random(10, 10) },
  { name: "random 60 x 60", n: 60, a: random(60, 60) },
  { name: "zero", n: 4, a: new Float64Array(16) },
  { name: "identity", n: 5, a: identity(5) },
  { name: "ones", n: 7, a: new Float64Array(49).fill(1) },
  { name: "rank 1", n: 6, a: multiply(random(6, 1), random(1, 6), 6, 1, 6) },
  { name: "rank 3", n: 20, a: multiply(random(20, 3), random(3, 20), 20, 3, 20) },
  { name: "Hilbert", n: 12, a: build(12, (i, j) => 1 / (i + j + 1)) },
  { name: "graded columns", n: 8, a: random(8, 8).map((x, k) => x * 10 ** (-3 * (k % 8))) },
  { name: "huge", n: 4, a: random(4, 4).map((x) => x * 1e200) },
  { name: "tiny", n: 4, a: random(4, 4).map((x) => x * 1e-200) },
  { name: "Jordan block", n: 6, a: build(6, (i, j) => (i === j ? 2 : i === j - 1 ? 1 : 0)) },
  { name: "Jordan block, lower", n: 6, a: build(6, (i, j) => (i === j ? 2 : i === j + 1 ? 1 : 0)) },
  { name: "bidiagonal with zeros", n: 5, a: build(5, (i, j) => (j === i + 1 || (i === j && i % 2 === 1) ? 1 : 0)) },
  { name: "cyclic permutation", n: 4, a: build(4, (i, j) => (j === (i + 1) % 4 ? 1 : 0)) },
  { name: "rotation", n: 2, a: Float64Array.of(0, -1, 1, 0) },
  { name: "upper triangular", n: 5, a: build(5, (i, j) => (j >= i ? 1 + i + j : 0)) },
  { name: "badly scaled", n: 3, a: Float64Array.of(1, 1e6, 1e12, 1e-6, 1, 1e6, 1e-12, 1e-6, 1.5) },
];

/** A 5 x 4 matrix whose factors, as NumPy and SciPy give them, are written in the tests. */
// prettier-ignore
export const example = Float64Array.of(
  2, -1, 0.5, 3,
  4, 1, -2, 0,
  0.25, 7, 1, -1,
  -3, 2, 2, 1,
  1, 1, -5, 0.5,
);
