import { NDArray } from "../../../core/ndarray.js";
import { accelerator } from "../accelerator.js";
import { onHeap } from "./on-heap.js";
import type { WorkingArray } from "./working-values.js";

/** From this many multiplications on, copying operands into the heap pays. */
export const worthCopying = 1 << 14;

/** A matrix product c[m, n] = a[m, k] · b[n, k]ᵀ on row-major pieces that begin at the given offsets. */
export interface MatrixProduct {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly a: WorkingArray;
  readonly b: WorkingArray;
  readonly c: WorkingArray;
  readonly aOffset?: number;
  readonly bOffset?: number;
  readonly cOffset?: number;
}

/** Rows of b that are kept in the cache while all rows of a pass by. */
const panelBytes = 1 << 17;

/** Matrix product by the compiled kernel where that pays, else in plain TypeScript. */
export function multiplyMatrices(product: MatrixProduct): void {
  const { m, n, k, a, b, c, aOffset = 0, bOffset = 0, cOffset = 0 } = product;
  const wasm = c instanceof Float32Array && m * n * k >= worthCopying ? accelerator() : null;
  if (!wasm) return multiplyTransposed(product);
  const operands = [
    new NDArray(a.subarray(aOffset, aOffset + m * k), [m, k], "float32"),
    new NDArray(b.subarray(bOffset, bOffset + n * k), [n, k], "float32"),
  ];
  const result = onHeap(wasm, operands, m * n, ([pa, pb], pc) =>
    wasm.gemm(m, n, k, { ptr: pa!, rowStride: k, colStride: 1 }, { ptr: pb!, rowStride: 1, colStride: k }, pc, n),
  );
  c.set(result, cOffset);
}

/** Matrix product in plain TypeScript: 4x4 tiles of scalars. Floats add up in double precision, integers wrap at 32 bits. */
export function multiplyTransposed(product: MatrixProduct): void {
  const { n, k } = product;
  const columns = Math.max(4, Math.floor(panelBytes / (4 * Math.max(1, k))) & ~3);
  const tile = product.c instanceof Int32Array ? integerPanel : floatPanel;
  for (let from = 0; from < n; from += columns) tile(product, from, Math.min(n, from + columns));
}

function floatPanel(product: MatrixProduct, from: number, to: number): void {
  const { m, n, k, a, b, c, aOffset = 0, bOffset = 0, cOffset = 0 } = product;
  for (let i = 0; i < m; i += 4) {
    const rows = Math.min(4, m - i);
    const a0 = aOffset + i * k;
    const a1 = rows > 1 ? a0 + k : a0;
    const a2 = rows > 2 ? a1 + k : a0;
    const a3 = rows > 3 ? a2 + k : a0;
    for (let j = from; j < to; j += 2) {
      const b0 = bOffset + j * k;
      const b1 = j + 1 < to ? b0 + k : b0;
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      let s20 = 0;
      let s21 = 0;
      let s30 = 0;
      let s31 = 0;
      for (let p = 0; p < k; p++) {
        const y0 = b[b0 + p]!;
        const y1 = b[b1 + p]!;
        const x0 = a[a0 + p]!;
        const x1 = a[a1 + p]!;
        const x2 = a[a2 + p]!;
        const x3 = a[a3 + p]!;
        s00 += x0 * y0;
        s01 += x0 * y1;
        s10 += x1 * y0;
        s11 += x1 * y1;
        s20 += x2 * y0;
        s21 += x2 * y1;
        s30 += x3 * y0;
        s31 += x3 * y1;
      }
      const at = cOffset + i * n + j;
      const pair = j + 1 < to;
      c[at] = s00;
      if (pair) c[at + 1] = s01;
      if (rows > 1) c[at + n] = s10;
      if (rows > 1 && pair) c[at + n + 1] = s11;
      if (rows > 2) c[at + 2 * n] = s20;
      if (rows > 2 && pair) c[at + 2 * n + 1] = s21;
      if (rows > 3) c[at + 3 * n] = s30;
      if (rows > 3 && pair) c[at + 3 * n + 1] = s31;
    }
  }
}

function integerPanel(product: MatrixProduct, from: number, to: number): void {
  const { m, n, k, a, b, c, aOffset = 0, bOffset = 0, cOffset = 0 } = product;
  for (let i = 0; i < m; i++) {
    const row = aOffset + i * k;
    for (let j = from; j < to; j++) {
      const column = bOffset + j * k;
      let sum = 0;
      for (let p = 0; p < k; p++) sum = (sum + Math.imul(a[row + p]!, b[column + p]!)) | 0;
      c[cOffset + i * n + j] = sum;
    }
  }
}
