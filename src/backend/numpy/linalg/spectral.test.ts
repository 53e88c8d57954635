import { describe, expect, it } from "vitest";
import { eig } from "./eig.js";
import { eigh } from "./eigh.js";
import { awkward, distance, example, multiply, random, skewness } from "./matrices.testing.js";
import { transpose } from "./matrix.js";
import { svd } from "./svd.js";

const symmetric = (a: Float64Array, n: number) => a.map((x, k) => (x + a[(k % n) * n + Math.floor(k / n)]!) / 2);
const square = example.slice(0, 16);

describe("eigh", () => {
  it("gives NumPy's eigenvalues", () => {
    const sum = symmetric(square, 4).map((x) => 2 * x);
    const expected = [-3.5074645555720694, 1.14307498572671, 3.2601229813078936, 9.104266588537467];
    expect(distance(eigh(sum, 4).values, Float64Array.from(expected))).toBeLessThan(1e-15);
  });

  it("finds the small eigenvalues of a Hilbert matrix to the accuracy that float64 allows", () => {
    const hilbert = Float64Array.from({ length: 64 }, (_, k) => 1 / ((k % 8) + Math.floor(k / 8) + 1));
    const { values } = eigh(hilbert, 8);
    expect(values[0]).toBeCloseTo(1.1115389663724424e-10, 15);
    expect(values[7]).toBeCloseTo(1.6959389969219495, 14);
  });

  it.each(awkward)("diagonalises: $name", ({ n, a }) => {
    const s = symmetric(a, n);
    const { values, vectors } = eigh(
      s.map((x, k) => (k % n > Math.floor(k / n) ? NaN : x)),
      n,
    );
    const scaled = vectors.map((v, k) => v * values[k % n]!);
    expect(distance(multiply(s, vectors, n, n, n), scaled, s)).toBeLessThan(1e-13);
    expect(skewness(vectors, n, n)).toBeLessThan(1e-13);
    expect([...values]).toEqual([...values].sort((x, y) => x - y));
  });

  // Whole matrices and the first rows of their vectors, as jax.numpy.linalg.eigh gives them on CPUs.
  it.each([
    { n: 2, a: [-7, 6, 6, 0], first: [-0.867142, -0.498061] },
    { n: 3, a: [2, -9, -2, -9, 0, 8, -2, 8, 1], first: [-0.476966, 0.664948, -0.574759] },
    {
      n: 4,
      a: [-8, 9, -2, 3, 9, 9, -7, 9, -2, -7, 0, -4, 3, 9, -4, 7],
      first: [0.896105, 0.259175, -0.222688, 0.283257],
    },
    {
      n: 6,
      a: [
        -7, 0, 9, 0, -5, -7, 0, 8, -7, 9, 2, 5, 9, -7, -6, -3, 6, -1, 0, 9, -3, 8, 7, 4, -5, 2, 6, 7, 7, -4, -7, 5, -1,
        4, -4, -9,
      ],
      first: [-0.607616, -0.076631, 0.094401, 0.76325, 0.081897, 0.163589],
    },
    {
      n: 9,
      a: [
        -8, -8, -6, 5, -1, -8, -6, 3, 8, -8, -6, -1, -3, 6, 2, 0, 5, 5, -6, -1, -3, 7, 4, -9, -9, 9, -9, 5, -3, 7, -9,
        7, -4, -9, -6, -2, -1, 6, 4, 7, -8, 8, 6, 8, 6, -8, 2, -9, -4, 8, -3, -9, -8, 1, -6, 0, -9, -9, 6, -9, -1, -7,
        -6, 3, 5, 9, -6, 8, -8, -7, 2, 3, 8, 5, -9, -2, 6, 1, -6, 3, -8,
      ],
      first: [0.143209, 0.621395, 0.28759, -0.109696, -0.170604, 0.432021, 0.494831, 0.119457, 0.15409],
    },
  ])("gives the vectors of a matrix of $n rows the signs of LAPACK", ({ n, a, first }) => {
    const { vectors } = eigh(Float64Array.from(a), n);
    first.forEach((value, k) => expect(vectors[k]).toBeCloseTo(value, 5));
  });

  it("answers NaN with NaN", () => {
    expect([...eigh(Float64Array.of(1, 0, NaN, 1), 2).values]).toEqual([NaN, NaN]);
  });
});

describe("svd", () => {
  it("gives NumPy's singular values", () => {
    const expected = [7.671173897277578, 6.9636437525090855, 3.9364743125280914, 2.9542218455415474];
    expect(distance(svd(example, 5, 4).values, Float64Array.from(expected))).toBeLessThan(1e-15);
  });

  const shapes = [
    [0, 3],
    [3, 0],
    [5, 1],
    [1, 5],
    [30, 12],
    [12, 30],
    [6, 5],
  ] as const;
  const cases = [
    ...awkward.map(({ name, n, a }) => ({ name, m: n, n, a })),
    ...shapes.map(([m, n]) => ({ name: `${m} x ${n}`, m, n, a: random(m, n) })),
    { name: "rank 2 of 9 x 7", m: 9, n: 7, a: multiply(random(9, 2), random(2, 7), 9, 2, 7) },
  ];
  it.each(cases)("factorises: $name", ({ m, n, a }) => {
    const k = Math.min(m, n);
    for (const full of [false, true]) {
      const { u, values, vt } = svd(a, m, n, full);
      const [left, right] = full ? [m, n] : [k, k];
      const scaled = Float64Array.from({ length: m * k }, (_, p) => {
        return u[Math.floor(p / k) * left + (p % k)]! * values[p % k]!;
      });
      expect(distance(multiply(scaled, vt.subarray(0, k * n), m, k, n), a)).toBeLessThan(1e-13);
      expect(skewness(u, m, left)).toBeLessThan(1e-13);
      expect(skewness(transpose(vt, right, n), n, right)).toBeLessThan(1e-13);
      expect([...values]).toEqual([...values].sort((x, y) => y - x));
      expect(values.every((value) => value >= 0 && !Object.is(value, -0))).toBe(true);
    }
  });

  it("answers infinity with NaN of the right sizes", () => {
    const { u, values, vt } = svd(Float64Array.of(1, Infinity, 0, 1, 1, 1), 3, 2, true);
    expect([u.length, values.length, vt.length]).toEqual([9, 2, 4]);
    expect([...u, ...values, ...vt].every(Number.isNaN)).toBe(true);
  });
});

describe("eig", () => {
  it("gives NumPy's eigenvalues and its normalisation", () => {
    const { valuesRe, valuesIm, vectorsRe, vectorsIm } = eig(square, 4);
    const re = [0.53921903, 0.53921903, 3.31792914, 0.60363281];
    const im = [5.59930981, -5.59930981, 0, 0];
    re.forEach((value, i) => expect(valuesRe[i]).toBeCloseTo(value, 8));
    im.forEach((value, i) => expect(valuesIm[i]).toBeCloseTo(value, 8));
    const first = [-0.33132742, -0.00787348, 0.66876151, 0.17020634];
    first.forEach((value, i) => expect(vectorsRe[i * 4]).toBeCloseTo(value, 8));
    const firstIm = [-0.06587892, 0.47621238, 0, -0.42758594];
    firstIm.forEach((value, i) => expect(vectorsIm[i * 4]).toBeCloseTo(value, 8));
  });

  it.each(awkward)("diagonalises: $name", ({ n, a }) => {
    const { valuesRe, valuesIm, vectorsRe, vectorsIm } = eig(a, n);
    const re = vectorsRe.map((x, k) => x * valuesRe[k % n]! - vectorsIm[k]! * valuesIm[k % n]!);
    const im = vectorsRe.map((x, k) => x * valuesIm[k % n]! + vectorsIm[k]! * valuesRe[k % n]!);
    expect(distance(multiply(a, vectorsRe, n, n, n), re, a)).toBeLessThan(1e-13);
    expect(distance(multiply(a, vectorsIm, n, n, n), im, a)).toBeLessThan(1e-13);
    for (let j = 0; j < n; j++) {
      let norm = 0;
      for (let i = 0; i < n; i++) norm += vectorsRe[i * n + j]! ** 2 + vectorsIm[i * n + j]! ** 2;
      expect(norm).toBeCloseTo(1, 12);
    }
  });

  it("keeps the order of a triangular matrix and pairs conjugates", () => {
    const triangular = awkward.find(({ name }) => name === "upper triangular")!;
    expect([...eig(triangular.a, 5).valuesRe]).toEqual([1, 3, 5, 7, 9]);
    const { valuesIm, vectorsIm } = eig(Float64Array.of(0, -1, 1, 0), 2);
    expect([...valuesIm]).toEqual([1, -1]);
    expect(vectorsIm[0]).toBe(-vectorsIm[1]! + 0);
  });

  it("answers NaN with NaN", () => {
    const { valuesRe, vectorsIm } = eig(Float64Array.of(1, NaN, 0, 1), 2);
    expect([...valuesRe, ...vectorsIm].every(Number.isNaN)).toBe(true);
  });
});
