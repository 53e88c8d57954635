import { describe, expect, it } from "vitest";
import { put, testKernels } from "./testing.js";

const kernels = testKernels(false);
const { heap } = kernels;

describe.each([
  [3, 1, 1],
  [4, 63, 1],
  [2, 64, 1],
  [3, 200, 1],
  [2, 9, 5],
  [3, 7, 16],
  [2, 5, 37],
  [1, 0, 3],
] as const)("bools of [%i, %i, %i]", (outer, n, inner) => {
  // All equal but for one element at a time, so that each position counts.
  it.each(["all", "any"] as const)("%s over the middle", (kind) => {
    const usual = kind === "all" ? 1 : 0;
    const size = outer * n * inner;
    const px = put(kernels, new Uint8Array(size).fill(usual), "uint8");
    const py = put(kernels, new Uint8Array(outer * inner + 20).fill(9), "uint8");
    for (let odd = 0; odd <= size; odd++) {
      const x = heap.view(px, "uint8", size).fill(usual);
      if (odd < size) x[odd] = 1 - usual;
      kernels.reduceBools(kind, px, py, outer, n, inner);
      const y = [...heap.view(py, "uint8", outer * inner + 20)];
      const place = Math.floor(odd / (n * inner)) * inner + (odd % inner);
      const expected = Array.from({ length: outer * inner }, (_, i) => (odd < size && i === place ? 1 - usual : usual));
      expect(y).toEqual([...expected, ...new Array<number>(20).fill(9)]);
    }
  });
});
