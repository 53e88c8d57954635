import { describe, expect, it } from "vitest";
import { dtypes } from "../core/dtype.js";
import type { DType } from "../core/dtype.js";
import { NDArray } from "../core/ndarray.js";
import { FormatError } from "./format-error.js";
import { readNpy, readNpyStrings, writeNpy } from "./npy.js";
import { openNpz, writeNpz } from "./npz.js";
import { writeZip } from "./zip/index.js";

const join = (chunks: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(chunks));

function npy(header: string, data: readonly number[] = [], version = 1): Uint8Array {
  const text = new TextEncoder().encode(`${header}\n`);
  const size = [text.length & 255, text.length >> 8, ...(version === 1 ? [] : [0, 0])];
  return Uint8Array.of(0x93, ...new TextEncoder().encode("NUMPY"), version, 0, ...size, ...text, ...data);
}

describe("npy", () => {
  it.each(dtypes.map((dtype): [DType] => [dtype]))("keeps the bits of %s", (dtype) => {
    for (const array of [
      NDArray.from(
        [
          [0, 1, 1],
          [1, 0, 1],
        ],
        dtype,
      ),
      NDArray.from(1, dtype),
      NDArray.zeros([2, 0], dtype),
    ]) {
      // prettier-ignore
      const copy = readNpy(join(writeNpy(array)));
      expect([copy.dtype, copy.shape, copy.data]).toEqual([dtype, array.shape, array.data]);
    }
  });

  it("passes memory through and aligns it", () => {
    const array = NDArray.from([1, 2, 3]);
    const [header, data] = writeNpy(array);
    expect(header!.length % 64).toBe(0);
    expect(data!.buffer).toBe(array.data.buffer);
    const bytes = join(writeNpy(array)).slice();
    expect(readNpy(bytes).data.buffer).toBe(bytes.buffer);
  });

  it("keeps column-major arrays column-major, without copying", () => {
    const columns = new NDArray(Int32Array.of(1, 4, 2, 5, 3, 6), [2, 3], "int32", [1, 2]);
    const chunks = writeNpy(columns);
    expect(chunks[1]!.buffer).toBe(columns.data.buffer);
    const copy = readNpy(join(chunks));
    expect(copy.strides).toEqual([1, 2]);
    expect(copy.toArray()).toEqual([[1, 2, 3], [4, 5, 6]]); // prettier-ignore
  });

  it("reads headers written by hand: versions, spacing, big-endian, complex128", () => {
    const header = `{'descr':'>i2','fortran_order':False,'shape':(2L,)}`;
    for (const version of [1, 2, 3]) expect(readNpy(npy(header, [1, 2, 3, 4], version)).toArray()).toEqual([258, 772]);
    const complex = npy(`{'descr': '<c16', 'fortran_order': False, 'shape': ()}`, [
      ...new Uint8Array(Float64Array.of(1.5, -2).buffer),
    ]);
    expect(readNpy(complex)).toMatchObject({ dtype: "complex64", shape: [], data: Float32Array.of(1.5, -2) });
  });

  it("reads text", () => {
    const wide = npy(`{'descr': '<U2', 'fortran_order': False, 'shape': (2, 1)}`, [
      ...new Uint8Array(Uint32Array.of(0x1f600, 0, 0x61, 0x62).buffer),
    ]);
    expect(readNpyStrings(wide)).toEqual({ data: ["😀", "ab"], shape: [2, 1] });
    const narrow = npy(`{'descr': '|S2', 'fortran_order': False, 'shape': (2,)}`, [0x61, 0x62, 0x63, 0]);
    expect(readNpyStrings(narrow).data).toEqual(["ab", "c"]);
    expect(() => readNpy(wide)).toThrow("holds text");
    expect(() => readNpyStrings(npy(`{'descr': '<U1', 'fortran_order': False, 'shape': (1,)}`, [0, 0, 0x11, 0]))).toThrow("Unicode"); // prettier-ignore
  });

  it.each([
    [`{'descr': '|O', 'fortran_order': False, 'shape': (1,)}`, "Python objects"],
    [`{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}`, "holds structures"],
    [`{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}`, "declares 4000000000000 bytes"],
    [`{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}`, "damaged npy header"],
    [`{'descr': '<M8', 'fortran_order': False, 'shape': (1,)}`, `type "M8"`],
    [`{'descr': '<f4', 'fortran_order': False, 'shape': (${"9".repeat(400)},)}`, "declares Infinity bytes"],
  ])("refuses %s", (header, message) => {
    expect(() => readNpy(npy(header, [0, 0, 0, 0]), "x.npy")).toThrow(FormatError);
    expect(() => readNpy(npy(header, [0, 0, 0, 0]), "x.npy")).toThrow(message);
  });

  it("refuses what is no npy file", () => {
    expect(() => readNpy(new Uint8Array(3), "x.npy")).toThrow("x.npy: ");
    expect(() => readNpy(npy("", [], 4))).toThrow("version 4");
  });
});

describe("npz", () => {
  it("keeps names, dtypes and values", async () => {
    const arrays = new Map([["a", NDArray.from([1, 2])], ["b/c", NDArray.from([[true]])]]); // prettier-ignore
    const npz = openNpz(join(writeNpz(arrays)), { source: "w.npz" });
    expect(npz.names).toEqual(["a", "b/c"]);
    expect(npz.has("a") && !npz.has("c")).toBe(true);
    const copies = await npz.readAll();
    expect(copies.get("a")!.toArray()).toEqual([1, 2]);
    expect(copies.get("b/c")!.toArray()).toEqual([[true]]);
    await expect(npz.read("c")).rejects.toThrow('w.npz: has no member "c.npy"');
  });

  it("names the archive and the member when an array is damaged", async () => {
    const npz = openNpz(join(writeZip([{ name: "x.npy", data: new Uint8Array(20) }])), { source: "w.npz" });
    await expect(npz.read("x")).rejects.toThrow("w.npz: x.npy: no npy array at 0");
  });
});
