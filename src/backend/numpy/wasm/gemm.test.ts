import { describe, expect, it } from "vitest";
import type { Kernels } from "./kernels.js";
import { noise, put, testKernels } from "./testing.js";

const sizes = [
  [1, 1, 1],
  [1, 37, 29],
  [2, 8, 300],
  [4, 9, 5],
  [37, 1, 29],
  [33, 3, 517],
  [5, 10, 7],
  [13, 17, 261],
  [64, 64, 64],
  [197, 41, 300],
  [8, 1030, 3],
] as const;

/** Difference from a double-precision product, relative to the sum of magnitudes. */
function worstError(
  kernels: Kernels,
  [m, n, k]: readonly [number, number, number],
  transposeA: boolean,
  transposeB: boolean,
  extra: { accumulate?: boolean; bias?: boolean; relu?: boolean } = {},
): number {
  const { heap } = kernels;
  const a = noise(m * k, 3);
  const b = noise(k * n, 5);
  const bias = noise(n, 9);
  const cStride = n + 3;
  const before = noise(m * cStride, 7);
  const [pa, pb, pc, pbias] = [a, b, before, bias].map((x) => put(kernels, x)) as [number, number, number, number];
  const left = { ptr: pa, rowStride: transposeA ? 1 : k, colStride: transposeA ? m : 1 };
  const right = { ptr: pb, rowStride: transposeB ? 1 : n, colStride: transposeB ? k : 1 };
  kernels.gemm(m, n, k, left, right, pc, cStride, {
    accumulate: extra.accumulate ?? false,
    relu: extra.relu ?? false,
    ...(extra.bias ? { bias: pbias } : {}),
  });
  const c = heap.view(pc, "float32", m * cStride);
  let worst = 0;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < cStride; j++) {
      let sum = j >= n || extra.accumulate ? before[i * cStride + j]! : 0;
      let scale = 1;
      if (j < n) {
        for (let q = 0; q < k; q++) {
          const x = a[i * left.rowStride + q * left.colStride]! * b[q * right.rowStride + j * right.colStride]!;
          sum += x;
          scale += Math.abs(x);
        }
        if (extra.bias) sum += bias[j]!;
        if (extra.relu) sum = Math.max(0, sum);
      }
      worst = Math.max(worst, Math.abs(sum - c[i * cStride + j]!) / scale);
    }
  }
  for (const ptr of [pa, pb, pc, pbias]) heap.free(ptr);
  return worst;
}

describe.each([false, true])("gemm, fma %s", (fma) => {
  const kernels = testKernels(fma);

  it.each(sizes)("%i x %i x %i, all transposes, touches nothing beside C", (m, n, k) => {
    for (const ta of [false, true]) {
      for (const tb of [false, true]) expect(worstError(kernels, [m, n, k], ta, tb)).toBeLessThan(3e-7);
    }
  });

  it.each(sizes)("%i x %i x %i, accumulating, with bias and relu", (m, n, k) => {
    expect(worstError(kernels, [m, n, k], false, false, { accumulate: true })).toBeLessThan(3e-7);
    expect(worstError(kernels, [m, n, k], false, true, { bias: true, relu: true })).toBeLessThan(3e-7);
    expect(worstError(kernels, [m, n, k], true, false, { accumulate: true, bias: true, relu: true })).toBeLessThan(
      3e-7,
    );
  });

  it("k = 0 gives zeros or leaves what is there", () => {
    expect(worstError(kernels, [5, 6, 0], false, false)).toBe(0);
    expect(worstError(kernels, [5, 6, 0], false, false, { accumulate: true, bias: true })).toBeLessThan(1e-7);
  });

  it("takes any stride", () => {
    const a = noise(400, 1);
    const b = noise(400, 2);
    const [pa, pb, pc] = [put(kernels, a), put(kernels, b), put(kernels, new Float32Array(30))] as [
      number,
      number,
      number,
    ];
    kernels.gemm(5, 6, 4, { ptr: pa, rowStride: 13, colStride: 3 }, { ptr: pb, rowStride: 2, colStride: 11 }, pc, 6);
    kernels.heap.view(pc, "float32", 30).forEach((x, at) => {
      let sum = 0;
      for (let q = 0; q < 4; q++) sum += a[Math.floor(at / 6) * 13 + q * 3]! * b[q * 2 + (at % 6) * 11]!;
      expect(x).toBeCloseTo(sum, 5);
    });
  });

  it("keeps NaN through relu", () => {
    const [pa, pb, pc] = [put(kernels, [NaN]), put(kernels, noise(12)), put(kernels, noise(12))] as [
      number,
      number,
      number,
    ];
    kernels.gemm(1, 12, 1, { ptr: pa, rowStride: 1, colStride: 1 }, { ptr: pb, rowStride: 12, colStride: 1 }, pc, 12, {
      relu: true,
    });
    expect(kernels.heap.view(pc, "float32", 12).every(Number.isNaN)).toBe(true);
  });

  it("runs batches, repeating an operand with step 0", () => {
    const [m, n, k] = [6, 10, 7];
    const a = noise(3 * m * k, 1);
    const b = noise(k * n, 2);
    const [pa, pb, pc] = [put(kernels, a), put(kernels, b), put(kernels, new Float32Array(3 * m * n))] as [
      number,
      number,
      number,
    ];
    const left = { ptr: pa, rowStride: k, colStride: 1 };
    kernels.gemmBatched(3, m, n, k, left, m * k, { ptr: pb, rowStride: n, colStride: 1 }, 0, pc, n, m * n);
    kernels.heap.view(pc, "float32", 3 * m * n).forEach((x, at) => {
      let sum = 0;
      for (let q = 0; q < k; q++) sum += a[Math.floor(at / n) * k + q]! * b[q * n + (at % n)]!;
      expect(x).toBeCloseTo(sum, 5);
    });
  });
});
