import { describe, expect, it } from "vitest";
import { h5pyFile } from "../../../test/formats/h5py-files.js";
import { NDArray } from "../../core/ndarray.js";
import { lookup3 } from "../lookup3.js";
import { H5GroupNode, openHdf5, writeHdf5 } from "./index.js";

const grid = Array.from({ length: 7 }, (_, row) => Array.from({ length: 5 }, (_, column) => 5 * row + column));

describe.each(["classic", "modern"] as const)("a file of h5py (%s)", (name) => {
  const root = openHdf5(h5pyFile(name), { source: name });

  it("has its groups, attributes and datasets", async () => {
    expect(root.keys().sort()).toEqual(["layers", "optimizer", "text"]);
    expect([root.attributes.get("backend"), root.attributes.get("n")]).toEqual(["jax", 3]);
    expect(root.group("layers/dense")!.attributes.text("name")).toBe("dense");
    expect((await root.dataset("layers/dense/vars/0")!.read()).toArray()).toEqual([[0, 1, 2], [3, 4, 5]]); // prettier-ignore
    const step = await root.dataset("optimizer/vars/0")!.read();
    expect([step.dtype, step.shape, step.at()]).toEqual(["int64", [], 5n]);
    expect(await root.dataset("text")!.readStrings()).toEqual(["a", "bc"]);
  });
});

describe.each(["chunks-classic", "chunks-modern"] as const)("a file with chunks (%s)", (name) => {
  const root = openHdf5(h5pyFile(name), { source: name });

  it("is put together from them", async () => {
    expect((await root.dataset("packed")!.read()).toArray()).toEqual(grid);
    expect((await root.dataset("grows")!.read()).toArray()).toEqual(grid);
    expect((await root.dataset("filled")!.read()).data).toEqual(new Float32Array(35).fill(2.5));
  });

  it("is checked while it is unpacked", async () => {
    const bytes = h5pyFile(name);
    const at = bytes.findIndex((byte, i) => byte === 0x78 && bytes[i + 1] === 0x5e); // a zlib stream
    bytes[at + 12]! ^= 0xff;
    await expect(openHdf5(bytes, { source: "w.h5" }).dataset("packed")!.read()).rejects.toThrow("w.h5: /packed: ");
  });
});

it("reads version 2 B-trees and single chunks", async () => {
  const root = openHdf5(h5pyFile("chunks-modern"));
  expect((await root.dataset("grows2")!.read()).toArray()).toEqual([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]); // prettier-ignore
  expect((await root.dataset("one")!.read()).data).toEqual(Int16Array.from({ length: 12 }, (_, i) => i));
});

it("reads links and attributes from fractal heaps", () => {
  const root = openHdf5(h5pyFile("dense"));
  expect(root.keys()).toHaveLength(12);
  expect(root.group("member 0")!.attributes.get("i")).toBe("zero");
  expect(root.group("member 11")!.attributes.get("i")).toBe(11);
  for (let i = 0; i < 10; i++) expect(root.attributes.get(`attribute ${i}`)).toBe(i);
  const large = root.attributes.get("large") as NDArray;
  expect(large.data).toEqual(Float64Array.from({ length: 600 }, (_, i) => i));
});

describe("refuses", () => {
  const sample = (): Uint8Array => {
    const root = new H5GroupNode();
    root.dataset("a", NDArray.from([1, 2]));
    return new Uint8Array(Buffer.concat(writeHdf5(root)));
  };
  const open = (bytes: Uint8Array) => openHdf5(bytes, { source: "w.h5" });

  it("what is no HDF5 file", () => {
    expect(() => open(new Uint8Array(0))).toThrow("w.h5: is not an HDF5 file");
    expect(() => open(new Uint8Array(5000))).toThrow("w.h5: is not an HDF5 file");
  });

  it("a file that is cut off", () => {
    const bytes = sample();
    expect(() => open(bytes.subarray(0, bytes.length - 1))).toThrow(`is cut off: ${bytes.length} bytes are declared`);
  });

  it("damaged metadata", () => {
    const bytes = sample();
    bytes[60]! ^= 1;
    expect(() => open(bytes)).toThrow("w.h5: the object header at address 48 is damaged");
    bytes[36]! ^= 1;
    expect(() => open(bytes)).toThrow("w.h5: has a damaged HDF5 superblock");
  });

  it("a superblock it does not know", () => {
    const bytes = sample();
    bytes[8] = 9;
    expect(() => open(bytes)).toThrow("superblock of version 9. Expected 0 to 3");
  });

  it("groups that contain themselves, soft links, and names that are paths", () => {
    // The root of our own file begins at 48; its first link message, of the group "g", is changed and the checksum made to fit.
    const changed = (change: (bytes: Uint8Array, link: number) => void): Uint8Array => {
      const root = new H5GroupNode();
      root.group("g");
      const bytes = new Uint8Array(Buffer.concat(writeHdf5(root)));
      const view = new DataView(bytes.buffer);
      const size = 10 + view.getUint32(54, true);
      const link = 48 + size - 12; // version, flags, character set, length, "g", address
      change(bytes, link);
      view.setUint32(48 + size, lookup3(bytes.subarray(48, 48 + size)), true);
      return bytes;
    };
    expect(() => open(changed((bytes, link) => (bytes[link + 4] = 48))).get("g")).toThrow("leads back to a group");
    expect(() => open(changed((bytes, link) => (bytes[link + 3] = 0x2f))).keys()).toThrow('a member named "/"');
    expect(open(changed((bytes, link) => (bytes[link + 3] = 0x68))).keys()).toEqual(["h"]);
  });
});
