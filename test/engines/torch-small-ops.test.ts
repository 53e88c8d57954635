import { describe, expect } from "vitest";
import { itRequires } from "../support/require.js";
import { tensor, torchAddon, valuesOf } from "../support/torch-addon.js";

const it = (name: string, fn: () => void): void => itRequires("libtorch", name, fn);
const op = (name: string, overload = ""): number => torchAddon().opId(name, overload);

/** Numbers from 0 up to 1 that are the same in every run (Lehmer's generator with the constants of Park and Miller, 1988). */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
const pick = <T>(random: () => number, choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;

/** A matrix in one of several layouts, and its element [i, j]. */
interface Matrix {
  readonly slot: number;
  readonly at: (i: number, j: number) => number;
}
function matrixOf(random: () => number, rows: number, columns: number, special: boolean): Matrix {
  const addon = torchAddon();
  const layout = pick(random, ["rows", "columns", "part"] as const);
  const [height, width] = layout === "part" ? [rows + 2, columns * 2 + 1] : [rows, columns];
  const odd = [NaN, Infinity, -Infinity, 0, -0];
  const values = Float32Array.from({ length: height * width }, () =>
    special && random() < 0.02 ? pick(random, odd) : random() * 2 - 1,
  );
  if (layout === "columns") {
    const turned = addon.fromHost(values, [columns, rows], 6, "cpu");
    const slot = addon.call(op("aten::t"), turned) as number;
    return { slot, at: (i, j) => values[j * rows + i]! };
  }
  const whole = addon.fromHost(values, [height, width], 6, "cpu");
  if (layout === "rows") return { slot: whole, at: (i, j) => values[i * width + j]! };
  const lower = addon.call(op("aten::slice", "Tensor"), whole, 0, 2, rows + 2, 1) as number;
  const slot = addon.call(op("aten::slice", "Tensor"), lower, 1, 1, columns * 2 + 1, 2) as number;
  return { slot, at: (i, j) => values[(i + 2) * width + 1 + j * 2]! };
}

describe("products of matrices", () => {
  const sizes = [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 13, 16, 17, 31, 33, 64, 100, 130];
  for (const special of [false, true])
    it(`equal sums in double precision for many sizes and layouts${special ? ", with NaN and infinities" : ""}`, () => {
      const random = generator(special ? 7 : 3);
      const wrong: string[] = [];
      for (let round = 0; round < 60; round++) {
        const [m, n] = [pick(random, sizes), pick(random, sizes)];
        const k = pick(random, [...sizes, 330, 700]);
        const a = matrixOf(random, m, k, special);
        const b = matrixOf(random, k, n, special);
        const found = valuesOf(torchAddon().call(op("keras::mm"), a.slot, b.slot) as number);
        expect(found.length).toBe(m * n);
        for (let index = 0; index < found.length; index++) {
          let sum = 0;
          let bound = 1e-30;
          for (let p = 0; p < k; p++) {
            const term = a.at(Math.floor(index / n), p) * b.at(p, index % n);
            sum += term;
            bound += Math.abs(term);
          }
          const value = found[index]!;
          const fits = Number.isFinite(sum) ? Math.abs(value - sum) <= bound * 2e-6 : Object.is(value, sum);
          if (!fits) wrong.push(`[${m}, ${k}] by [${k}, ${n}]: element ${index} is ${value}, not ${sum}`);
        }
      }
      expect(wrong).toEqual([]);
    });

  it("do not depend on the number of threads", () => {
    const addon = torchAddon();
    const random = generator(11);
    const before = addon.threads();
    for (const [m, k, n] of [
      [128, 512, 10],
      [517, 100, 9],
      [300, 10, 300],
      [7, 900, 200],
      [128, 700, 130],
    ] as const) {
      const [a, b] = [matrixOf(random, m, k, false), matrixOf(random, k, n, false)];
      const results = [1, 2, 5].map((count) => {
        addon.setThreads(count);
        return valuesOf(addon.call(op("keras::mm"), a.slot, b.slot) as number);
      });
      addon.setThreads(before);
      expect(results[1]).toEqual(results[0]);
      expect(results[2]).toEqual(results[0]);
    }
  });

  it("leave other types to libtorch, and refuse what does not fit", () => {
    const addon = torchAddon();
    const ints = addon.fromHost(Int32Array.from([1, 2, 3, 4]), [2, 2], 3, "cpu");
    const squared = addon.call(op("keras::mm"), ints, ints) as number;
    expect([...new Int32Array(addon.toHost(squared))]).toEqual([7, 10, 15, 22]);
    expect(() => addon.call(op("keras::mm"), tensor([1, 2], [1, 2]), tensor([1, 2], [1, 2]))).toThrow(/shape|size/);
  });
});

describe("small arrays", () => {
  const close = (found: readonly number[], expected: readonly number[]): void => {
    expect(found.length).toBe(expected.length);
    found.forEach((v, i) => {
      const e = expected[i]!;
      if (Number.isFinite(e)) expect(Math.abs(v - e)).toBeLessThanOrEqual(1e-6 + Math.abs(e) * 2e-6);
      else expect(v).toBe(e);
    });
  };

  it("have libtorch's softmax of rows, and its logarithm, also with NaN and infinities", () => {
    const addon = torchAddon();
    const random = generator(5);
    for (let round = 0; round < 40; round++) {
      const [rows, width] = [pick(random, [0, 1, 2, 31, 32, 33, 100]), pick(random, [1, 2, 3, 8, 10, 17, 64])];
      const odd = [NaN, Infinity, -Infinity, 200, -200];
      const x = tensor(
        Array.from({ length: rows * width }, () => (random() < 0.02 ? pick(random, odd) : random() * 8 - 4)),
        [rows, width],
      );
      for (const logarithm of [false, true]) {
        const other = addon.call(op(logarithm ? "aten::_log_softmax" : "aten::_softmax"), x, -1, false) as number;
        close(valuesOf(addon.call(op("keras::softmax"), x, logarithm) as number), valuesOf(other));
      }
    }
  });

  it("have libtorch's sums over neighbouring axes", () => {
    const addon = torchAddon();
    const random = generator(9);
    for (let round = 0; round < 40; round++) {
      const [outer, count, inner] = [1, 2, 3].map(() => pick(random, [1, 2, 3, 7, 10, 33, 40])) as [
        number,
        number,
        number,
      ];
      const x = tensor(
        Array.from({ length: outer * count * inner }, () => random() * 2 - 1),
        [outer, count, inner],
      );
      const expected = addon.call(op("aten::sum", "dim_IntList"), x, [1], false, 6) as number;
      close(
        valuesOf(addon.call(op("keras::sum"), x, outer, count, inner, [outer, inner]) as number),
        valuesOf(expected),
      );
    }
    expect(() => addon.call(op("keras::sum"), tensor([1, 2, 3]), 1, 2, 1, [])).toThrow(/sizes/);
  });

  it("have powers of single numbers", () => {
    const addon = torchAddon();
    const power = (x: number, y: number): number =>
      valuesOf(addon.call(op("keras::power"), tensor([x], []), tensor([y], [])) as number)[0]!;
    expect(power(2, 10)).toBe(1024);
    expect(power(-2, 3)).toBe(-8);
    expect(power(0, 0)).toBe(1);
    expect(power(-2, 0.5)).toBeNaN();
    expect(power(0, -1)).toBe(Infinity);
    expect(valuesOf(addon.call(op("keras::power"), tensor([2, 3, 4]), tensor([2])) as number)).toEqual([4, 9, 16]);
  });
});
