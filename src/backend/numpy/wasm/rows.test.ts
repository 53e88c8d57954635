import { describe, expect, it } from "vitest";
import { noise, put, testKernels } from "./testing.js";

const kernels = testKernels(false);
const { heap } = kernels;

describe.each([1, 3, 4, 17, 40])("rows of %i floats", (width) => {
  const rows = 6;
  const table = noise(rows * width, 2);
  const index = Int32Array.of(0, 5, 2, 2, -1, 6, 100, 3);
  const [pt, pi] = [put(kernels, table), put(kernels, index, "int32")] as [number, number];
  const row = (i: number): number[] => [...table.subarray(i * width, (i + 1) * width)];

  it("are taken, clipped or filled", () => {
    const out = heap.malloc(index.length * width * 4);
    const read = (): number[] => [...heap.view(out, "float32", index.length * width)];
    kernels.takeRows(pt, rows, width * 4, pi, index.length, out);
    expect(read()).toEqual([...index].flatMap((i) => row(Math.max(0, Math.min(rows - 1, i)))));
    kernels.takeRows(pt, rows, width * 4, pi, index.length, out, "fill");
    expect(read()).toEqual(
      [...index].flatMap((i) => (i >= 0 && i < rows ? row(i) : new Array<number>(width).fill(NaN))),
    );
  });

  it("are added back, dropping what lies outside", () => {
    const updates = noise(index.length * width, 3);
    const out = put(kernels, table);
    kernels.scatterAddRows(out, rows, width, pi, index.length, put(kernels, updates));
    const expected = table.slice();
    index.forEach((i, at) => {
      if (i < 0 || i >= rows) return;
      for (let j = 0; j < width; j++) expected[i * width + j]! += updates[at * width + j]!;
    });
    expect(heap.view(out, "float32", rows * width).slice()).toEqual(expected);
  });
});

it.each([1, 3])("rows of several tables and elements along an axis are taken by index, %i words a row", (width) => {
  const [outer, rows, n] = [4, 6, 5];
  const table = noise(outer * rows * width, 2);
  const rowIndex = Int32Array.of(0, 5, -1, 6, 3);
  const wordIndex = Int32Array.from(noise(outer * n * width, 3), (v) => Math.floor(v * 9));
  const [pt, pr, pw] = [put(kernels, table), put(kernels, rowIndex, "int32"), put(kernels, wordIndex, "int32")];
  const out = heap.malloc(outer * n * width * 4);
  const read = (): number[] => [...heap.view(out, "float32", outer * n * width)];
  const expected = (index: (o: number, i: number, j: number) => number, clip: boolean): number[] =>
    Array.from({ length: outer * n * width }, (_, at) => {
      const [o, i, j] = [Math.floor(at / (n * width)), Math.floor(at / width) % n, at % width];
      const wanted = index(o, i, j);
      if (!clip && (wanted < 0 || wanted >= rows)) return NaN;
      return table[(o * rows + Math.max(0, Math.min(rows - 1, wanted))) * width + j]!;
    });
  for (const outside of ["clip", "fill"] as const) {
    kernels.takeRows(pt, rows, 4 * width, pr, n, out, outside, 0x7fc00000, outer);
    expect(read()).toEqual(expected((_, i) => rowIndex[i]!, outside === "clip"));
    kernels.takeAlong(pt, rows, width, pw, n, out, outside, 0x7fc00000, outer);
    expect(read()).toEqual(expected((o, i, j) => wordIndex[(o * n + i) * width + j]!, outside === "clip"));
  }
});

describe("threefry", () => {
  const bits = (k0: number, k1: number, start: number, n: number, second = false): number[][] => {
    const out = [put(kernels, new Int32Array(n + 1), "int32"), put(kernels, new Int32Array(n + 1), "int32")] as const;
    kernels.threefry(k0, k1, start, n, out[0], second ? out[1] : 0);
    return out.map((ptr) => [...heap.view(ptr, "int32", n + 1)].map((w) => w >>> 0));
  };

  it("gives the published block for key 0 and counter 0", () => {
    expect(bits(0, 0, 0, 1, true).map((words) => words[0])).toEqual([0x6b200159, 0x99ba4efe]);
  });

  it("gives JAX's bits and splits for key (1337, 0)", () => {
    expect(bits(1337, 0, 0, 4)[0]).toEqual([3218511616, 2569199363, 1326893528, 3260344404, 0]);
    const [a, b] = bits(1337, 0, 0, 2, true);
    expect(a!.slice(0, 2)).toEqual([2732499619, 3303871162]);
    expect(b!.slice(0, 2)).toEqual([487077283, 1573899705]);
  });

  it("continues from any counter, past 2^32 too", () => {
    const all = bits(11, 22, 0, 23)[0]!;
    expect(bits(11, 22, 9, 14)[0]).toEqual(all.slice(9));
    const high = bits(11, 22, 2 ** 32 - 2, 5)[0]!;
    expect(bits(11, 22, 2 ** 32, 3)[0]).toEqual(high.slice(2));
    expect(high[2]).not.toBe(all[0]);
  });
});
