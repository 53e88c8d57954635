import { describe, expect, it } from "vitest";
import { cholesky } from "./cholesky.js";
import { determinant, inverse, luFactor, luSolve, signLogDeterminant, solve } from "./lu.js";
import { awkward, distance, example, multiply, random, skewness } from "./matrices.testing.js";
import { identity, transpose } from "./matrix.js";
import { qr } from "./qr.js";
import { solveTriangular } from "./triangular.js";

const square = example.slice(0, 16);

describe("cholesky", () => {
  it("gives the lower factor, reading the lower triangle only", () => {
    for (const n of [0, 1, 2, 30]) {
      const b = random(n, n + 2);
      const a = multiply(b, transpose(b, n, n + 2), n, n + 2, n);
      const l = cholesky(
        a.map((x, k) => (k % n > Math.floor(k / n) ? NaN : x)),
        n,
      )!;
      expect(distance(multiply(l, transpose(l, n, n), n, n, n), a)).toBeLessThan(1e-14);
      expect(l.every((x, k) => k % n <= Math.floor(k / n) || x === 0)).toBe(true);
    }
  });

  it("says when the matrix is not positive definite", () => {
    expect(cholesky(Float64Array.of(1, 2, 2, 1), 2)).toBeUndefined();
    expect(cholesky(new Float64Array(4), 2)).toBeUndefined();
    expect(cholesky(Float64Array.of(NaN), 1)).toBeUndefined();
  });
});

describe("solveTriangular", () => {
  it.each([
    { lower: true, transposed: false, unitDiagonal: false },
    { lower: true, transposed: true, unitDiagonal: false },
    { lower: false, transposed: false, unitDiagonal: true },
    { lower: false, transposed: true, unitDiagonal: true },
  ])("solves with $lower $transposed $unitDiagonal", (options) => {
    const n = 6;
    const t = random(n, n);
    const b = random(n, 3);
    const x = solveTriangular(t, n, b, 3, options);
    const read = t.map((value, k) => {
      const [i, j] = [Math.floor(k / n), k % n];
      if (i === j) return options.unitDiagonal ? 1 : value;
      return j < i === options.lower ? value : 0;
    });
    const matrix = options.transposed ? transpose(read, n, n) : read;
    expect(distance(multiply(matrix, x, n, n, 3), b)).toBeLessThan(1e-10);
  });
});

describe("luFactor", () => {
  it("gives SciPy's factors and pivots", () => {
    const { lu, pivots, permutation, sign, singular } = luFactor(square, 4, 4);
    // prettier-ignore
    const expected = [
      4, 1, -2, 0, 0.0625, 6.9375, 1.125, -1, 0.5, -0.21621621621621623, 1.7432432432432432, 2.7837837837837838, -0.75,
      0.3963963963963964, 0.031007751937984437, 1.310077519379845,
    ];
    expect(distance(lu, Float64Array.from(expected))).toBeLessThan(1e-15);
    expect([...pivots]).toEqual([1, 2, 2, 3]);
    expect([...permutation]).toEqual([1, 2, 0, 3]);
    expect([sign, singular]).toEqual([1, false]);
  });

  it.each([
    [0, 3],
    [3, 0],
    [7, 4],
    [4, 7],
    [30, 30],
  ])("factorises %i x %i", (m, n) => {
    const a = random(m, n);
    const k = Math.min(m, n);
    const { lu, permutation } = luFactor(a, m, n);
    const l = Float64Array.from({ length: m * k }, (_, p) => {
      const [i, j] = [Math.floor(p / k), p % k];
      return i === j ? 1 : j < i ? lu[i * n + j]! : 0;
    });
    const u = Float64Array.from({ length: k * n }, (_, p) => (p % n >= Math.floor(p / n) ? lu[p]! : 0));
    const permuted = new Float64Array(m * n);
    permutation.forEach((source, row) => permuted.set(a.subarray(source * n, (source + 1) * n), row * n));
    expect(distance(multiply(l, u, m, k, n), permuted)).toBeLessThan(1e-14);
  });

  it("solves, inverts and finds determinants", () => {
    const n = 20;
    const a = random(n, n);
    const b = random(n, 3);
    expect(distance(multiply(a, solve(a, n, b, 3), n, n, 3), b)).toBeLessThan(1e-12);
    expect(distance(luSolve(luFactor(a, n, n), n, b, 3), solve(a, n, b, 3))).toBe(0);
    expect(distance(multiply(a, inverse(a, n), n, n, n), identity(n))).toBeLessThan(1e-12);
    expect(determinant(square, 4)).toBeCloseTo(63.375, 12);
    expect(signLogDeterminant(square, 4).logDeterminant).toBeCloseTo(4.149069461911347, 13);
    expect(determinant(Float64Array.of(0, 1, 1, 0), 2)).toBe(-1);
    expect(determinant(new Float64Array(0), 0)).toBe(1);
    expect(signLogDeterminant(new Float64Array(9), 3)).toEqual({ sign: 0, logDeterminant: -Infinity });
    expect(luFactor(new Float64Array(9), 3, 3).singular).toBe(true);
    expect(solve(new Float64Array(1), 1, Float64Array.of(1), 1)[0]).toBe(Infinity);
  });
});

describe("qr", () => {
  it("has the signs of LAPACK", () => {
    // prettier-ignore
    const tall = [
      -5.482928049865327, 0.22798037629377665, 3.2373213433716272, -0.5927489783638191, 0, -7.479841238156391,
      -0.36925305952550114, 0.9846285008423701, 0, 0, -4.861419823239048, -0.46951221831119283, 0, 0, 0,
      -3.1158808771893165,
    ];
    expect(distance(qr(example, 5, 4).r, Float64Array.from(tall))).toBeLessThan(1e-15);
    // The last diagonal element of a square matrix is not reflected.
    expect(qr(square, 4, 4).r[15]).toBeCloseTo(0.9795661319278504, 14);
    const wide = [-4.47213595499958, -0.44721359549995787, 1.5652475842498526, -1.3416407864998732];
    expect(distance(qr(example.slice(0, 8), 2, 4).r.slice(0, 4), Float64Array.from(wide))).toBeLessThan(1e-15);
  });

  it.each(["reduced", "complete"] as const)("factorises any shape (%s)", (mode) => {
    const shapes = [
      [0, 3],
      [3, 0],
      [1, 1],
      [5, 1],
      [1, 5],
      [9, 4],
      [4, 9],
      [20, 20],
    ] as const;
    const cases = shapes.map(([m, n]) => ({ m, n, a: random(m, n) }));
    for (const { m, n, a } of [...cases, ...awkward.map(({ n, a }) => ({ m: n, n, a }))]) {
      const { q, r, k } = qr(a, m, n, mode);
      expect(k).toBe(mode === "complete" ? m : Math.min(m, n));
      expect(distance(multiply(q, r, m, k, n), a)).toBeLessThan(1e-14);
      expect(skewness(q, m, k)).toBeLessThan(1e-14);
      expect(r.every((x, p) => p % n >= Math.floor(p / n) || x === 0)).toBe(true);
    }
  });
});
