import { describe, expect, it } from "vitest";
import { NDArray } from "../../../core/ndarray.js";
import { sortKernels } from "../kernels/sort.js";
import type { SortDType } from "./kernels.js";
import { noise, put, testKernels } from "./testing.js";

const kernels = testKernels(false);
const { heap } = kernels;
const arrays = { float32: Float32Array, int32: Int32Array, uint32: Uint32Array } as const;

/** Values with many equals; floats with zeros of both signs, infinities, and NaNs of both signs and several payloads. */
function values(dtype: SortDType, length: number): InstanceType<(typeof arrays)[SortDType]> {
  const bits = Int32Array.from(noise(length, 5 + length), (v) => v * 2 ** 31);
  if (dtype !== "float32") return new arrays[dtype](bits.map((b) => (b % 3 === 0 ? b >> 28 : b)).buffer);
  const x = Float32Array.from(bits, (b) => (b % 3 === 0 ? b >> 28 : b / 2 ** 20));
  const words = new Int32Array(x.buffer);
  const odd = [0, 0x80000000 | 0, 0x7fc00000, 0xffc00001 | 0, 0x7f800000, 0xff800000 | 0, 0x7fffffff, -1, 1];
  for (let i = 0; i < length; i += 3) words[i] = odd[(i / 3) % odd.length]!;
  return x;
}
const words = (x: ArrayBufferView): number[] => [...new Int32Array(x.buffer, x.byteOffset, x.byteLength / 4)];

describe.each(["float32", "int32", "uint32"] as const)("rows of %s", (dtype) => {
  const infer = (shape: readonly number[], type = dtype as string): { shape: readonly number[]; dtype: never } => ({
    shape,
    dtype: type as never,
  });
  // Lengths for insertion, for digits of 8 bits and of 11.
  it.each([1, 2, 5, 40, 41, 300, 9001])("of length %i sort as the plain kernels do, bit by bit", (n) => {
    const rows = n > 1000 ? 2 : 5;
    const data = values(dtype, rows * n);
    const x = new NDArray(data, [rows, n], dtype);
    const px = put(kernels, new Int32Array(data.buffer), "int32");
    const py = heap.malloc(rows * n * 4);
    for (const descending of [false, true]) {
      const attributes = { axis: 1, descending };
      kernels.sortRows(dtype, descending, px, py, rows, n);
      const [sorted] = sortKernels.sort([x], attributes);
      expect([...heap.view(py, "int32", rows * n)]).toEqual(words(sorted!.data as Float32Array));
      kernels.argSortRows(dtype, descending, px, py, rows, n);
      const [places] = sortKernels.argSort([x], attributes);
      expect([...heap.view(py, "int32", rows * n)]).toEqual(words(places!.data as Int32Array));
    }
  });

  it.each([
    [7, 1],
    [50, 8],
    [50, 32],
    [50, 33],
    [50, 50],
    [9001, 40],
  ])("of length %i have the %i largest of the plain kernel", (n, k) => {
    const rows = 3;
    const data = values(dtype, rows * n);
    const px = put(kernels, new Int32Array(data.buffer), "int32");
    const [pv, pp] = [heap.malloc(rows * k * 4), heap.malloc(rows * k * 4)];
    kernels.topRows(dtype, px, pv, pp, rows, n, k);
    const specs = [infer([rows, k]), infer([rows, k], "int32")];
    const [largest, places] = sortKernels.topK([new NDArray(data, [rows, n], dtype)], { k }, specs);
    expect([...heap.view(pp, "int32", rows * k)]).toEqual(words(places!.data as Int32Array));
    expect([...heap.view(pv, "int32", rows * k)]).toEqual(words(largest!.data as Float32Array));
  });

  it("that are sorted already, or all the same, stay as they are", () => {
    const n = 1000;
    for (const step of [1, 0]) {
      const data = new arrays[dtype](n).map((_: number, i: number) => 3 + i * step);
      const px = put(kernels, new Int32Array(data.buffer), "int32");
      const py = heap.malloc(n * 4);
      kernels.sortRows(dtype, false, px, py, 1, n);
      expect([...heap.view(py, "int32", n)]).toEqual(words(data));
      kernels.argSortRows(dtype, false, px, py, 1, n);
      expect([...heap.view(py, "int32", n)]).toEqual([...Array(n).keys()]);
    }
  });
});
