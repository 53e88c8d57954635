import { describe, expect, it } from "vitest";
import { defaultRng } from "../../../utils/random/generator.js";
import { fft, inverseRealFft, realFft } from "./fft.js";
import { root } from "./roots.js";

const rng = defaultRng(4);

/** The transform by its definition. */
function definition(re: Float64Array, im: Float64Array): [Float64Array, Float64Array] {
  const n = re.length;
  const outRe = new Float64Array(n);
  const outIm = new Float64Array(n);
  for (let t = 0; t < n; t++) {
    for (let k = 0; k < n; k++) {
      const [c, s] = root((k * t) % n, n);
      outRe[t]! += re[k]! * c - im[k]! * s;
      outIm[t]! += re[k]! * s + im[k]! * c;
    }
  }
  return [outRe, outIm];
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((worst, x, i) => Math.max(worst, Math.abs(x - b[i]!)), 0);
}

const lengths = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 20, 25, 27, 30, 31, 32, 35, 37, 49, 60, 64, 74, 97, 100, 101],
  ...[120, 121, 128, 210, 256, 257, 343, 480, 512, 625, 1009],
];

describe("fft", () => {
  it("knows the roots of unity to the last digits", () => {
    expect(root(0, 7)).toEqual([1, -0]);
    expect(root(3, 12)[0]).toBeCloseTo(0, 20);
    for (let k = 0; k < 97; k++) {
      const [c, s] = root(k, 97);
      expect(c).toBeCloseTo(Math.cos((2 * Math.PI * k) / 97), 14);
      expect(s).toBeCloseTo(-Math.sin((2 * Math.PI * k) / 97), 14);
    }
  });

  it("gives NumPy's numbers", () => {
    const re = Float64Array.of(1, 2, -1, 0.5, 3, 0);
    const im = Float64Array.of(0, 1, 0.25, -2, 1, 1);
    fft(re, im, 6);
    const expectedRe = [5.5, -0.149519052838329, 0.149519052838329, 0.5, -1.149519052838329, 1.149519052838329];
    const expectedIm = [1.25, 4.107050807568877, -8.821152422706632, 1.25, 1.571152422706632, 0.6429491924311228];
    expect(distance(re, expectedRe)).toBeLessThan(1e-14);
    expect(distance(im, expectedIm)).toBeLessThan(1e-14);
  });

  it.each(lengths)("transforms and inverts length %i", (n) => {
    const rows = 3;
    const re = rng.standardNormal(rows * n);
    const im = rng.standardNormal(rows * n);
    const outRe = re.slice();
    const outIm = im.slice();
    fft(outRe, outIm, n);
    for (let row = 0; row < rows; row++) {
      const [start, end] = [row * n, (row + 1) * n];
      const [trueRe, trueIm] = definition(re.slice(start, end), im.slice(start, end));
      expect(distance(outRe.slice(start, end), trueRe)).toBeLessThan(2e-15 * n + 1e-13);
      expect(distance(outIm.slice(start, end), trueIm)).toBeLessThan(2e-15 * n + 1e-13);
    }
    fft(outRe, outIm, n, true);
    expect(distance(outRe, re)).toBeLessThan(1e-14);
    expect(distance(outIm, im)).toBeLessThan(1e-14);
  });

  it("computes float32 arrays in float64", () => {
    const re = Float32Array.from(rng.standardNormal(1000));
    const im = new Float32Array(1000);
    const [trueRe, trueIm] = [Float64Array.from(re), Float64Array.from(im)];
    fft(re, im, 1000);
    fft(trueRe, trueIm, 1000);
    expect([...re]).toEqual(Array.from(trueRe, Math.fround));
    expect([...im]).toEqual(Array.from(trueIm, Math.fround));
  });

  it("takes no rows, and refuses broken ones", () => {
    fft(new Float64Array(0), new Float64Array(0), 0);
    expect(() => fft(new Float64Array(5), new Float64Array(5), 2)).toThrow(/rows of n = 2/);
    expect(() => fft(new Float64Array(4), new Float64Array(2), 2)).toThrow(/equal length/);
  });
});

describe("realFft", () => {
  it.each([1, 2, 3, 5, 8, 12, 37, 64, 101])("agrees with fft and inverts, length %i", (n) => {
    for (const rows of [1, 2, 5]) {
      const x = rng.standardNormal(rows * n);
      const re = x.slice();
      const im = new Float64Array(rows * n);
      fft(re, im, n);
      const half = Math.floor(n / 2) + 1;
      const result = realFft(x, n);
      expect(result.re.length).toBe(rows * half);
      for (let row = 0; row < rows; row++) {
        const [start, end] = [row * half, (row + 1) * half];
        expect(distance(result.re.slice(start, end), re.slice(row * n))).toBeLessThan(1e-13);
        expect(distance(result.im.slice(start, end), im.slice(row * n))).toBeLessThan(1e-13);
      }
      expect(distance(inverseRealFft(result.re, result.im, n), x)).toBeLessThan(1e-14);
    }
  });

  it("ignores imaginary parts where a real signal has none", () => {
    const x = Float64Array.of(1, 4, 2, -3);
    const { re, im } = realFft(x, 4);
    im[0] = 5;
    im[2] = -7;
    expect(distance(inverseRealFft(re, im, 4), x)).toBeLessThan(1e-15);
  });

  it("refuses broken rows", () => {
    expect(() => realFft(new Float64Array(5), 2)).toThrow(/rows of n = 2/);
    expect(() => inverseRealFft(new Float64Array(5), new Float64Array(5), 4)).toThrow(/rows of 3/);
  });
});
