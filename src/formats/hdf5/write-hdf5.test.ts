import { describe, expect, it } from "vitest";
import { dtypes } from "../../core/dtype.js";
import type { DType } from "../../core/dtype.js";
import { NDArray } from "../../core/ndarray.js";
import { FixedStrings, H5GroupNode, openHdf5, writeHdf5 } from "./index.js";
import type { H5Group } from "./index.js";

const write = (root: H5GroupNode): Uint8Array => new Uint8Array(Buffer.concat(writeHdf5(root)));
const reopen = (root: H5GroupNode): H5Group => openHdf5(write(root), { source: "w.h5" });

describe("datasets", () => {
  it.each(dtypes.map((dtype): [DType] => [dtype]))("keep the bits of %s", async (dtype) => {
    const root = new H5GroupNode();
    const arrays = {
      matrix: NDArray.from([[0, 1, 1], [1, 0, 1]], dtype), // prettier-ignore
      scalar: NDArray.from(1, dtype),
      empty: NDArray.zeros([2, 0], dtype),
    };
    for (const [name, array] of Object.entries(arrays)) root.dataset(name, array);
    const file = reopen(root);
    for (const [name, array] of Object.entries(arrays)) {
      const dataset = file.dataset(name)!;
      expect([dataset.dtype, dataset.shape]).toEqual([dtype, array.shape]);
      expect((await dataset.read()).data).toEqual(array.data);
    }
  });

  it("pass contiguous memory through and are read in place", async () => {
    const root = new H5GroupNode();
    const arrays = [3, 5, 17].map((size) => NDArray.from(new Float32Array(size).fill(size)));
    arrays.forEach((array, i) => root.dataset(`d${i}`, array));
    const chunks = writeHdf5(root);
    for (const { data } of arrays) {
      const index = chunks.findIndex((chunk) => chunk.buffer === data.buffer);
      expect(index).toBeGreaterThan(0);
      expect(chunks.slice(0, index).reduce((sum, chunk) => sum + chunk.length, 0) % 64).toBe(0);
    }
    const bytes = write(root);
    const { data } = await openHdf5(bytes).dataset("d2")!.read();
    expect(data.buffer).toBe(bytes.buffer);
  });

  it("write strided views in row-major order", async () => {
    const root = new H5GroupNode();
    root.dataset("turned", new NDArray(Int32Array.of(1, 2, 3, 4, 5, 6), [3, 2], "int32", [1, 3]));
    expect((await reopen(root).dataset("turned")!.read()).toArray()).toEqual([[1, 4], [2, 5], [3, 6]]); // prettier-ignore
  });

  it("hold text", async () => {
    const root = new H5GroupNode();
    const texts = ["", "ä", "x".repeat(5000), "\u{1f600}"];
    root.dataset("one", "größe");
    root.dataset("list", texts);
    root.dataset("fixed", new FixedStrings(texts));
    root.dataset("none", []);
    const file = reopen(root);
    expect(file.dataset("one")!.dtype).toBe("string");
    expect(await file.dataset("one")!.readStrings()).toEqual(["größe"]);
    expect(await file.dataset("list")!.readStrings()).toEqual(texts);
    expect(await file.dataset("fixed")!.readStrings()).toEqual(texts);
    expect(await file.dataset("none")!.readStrings()).toEqual([]);
    await expect(file.dataset("one")!.read()).rejects.toThrow("w.h5: /one: holds elements that are no numbers (text)");
  });
});

describe("attributes", () => {
  it("keep their values", () => {
    const root = new H5GroupNode();
    const values = {
      text: "schön",
      empty: "",
      long: "x".repeat(2_000_000),
      list: ["a", "", "ü"],
      int: -5,
      big: 2n ** 62n,
      float: 0.1,
      negativeZero: -0,
      yes: true,
    };
    const { attributes } = root.group("g");
    for (const [name, value] of Object.entries(values)) attributes.set(name, value);
    attributes.set("fixed", new FixedStrings(["one", "three"]));
    attributes.set("fixed scalar", new FixedStrings("numpy"));
    attributes.set("array", NDArray.from([[1, 2], [3, 4]], "float16")); // prettier-ignore
    const read = reopen(root).group("g")!.attributes;
    for (const [name, value] of Object.entries(values)) expect(read.get(name)).toEqual(value);
    expect(read.get("fixed")).toEqual(["one", "three"]);
    expect(read.get("fixed scalar")).toBe("numpy");
    const array = read.get("array") as NDArray;
    expect([array.dtype, array.toArray()]).toEqual(["float16", [[1, 2], [3, 4]]]); // prettier-ignore
    expect(read.names).toEqual([...attributes.keys()]);
    expect(read.has("text") && !read.has("other")).toBe(true);
    expect(read.get("other")).toBeUndefined();
    expect(read.text("text")).toBe("schön");
    expect(() => read.text("int")).toThrow('w.h5: /g: the attribute "int" is no text');
  });

  it("past 64 KiB are refused with a way out", () => {
    const root = new H5GroupNode();
    root.group("g").attributes.set("large", NDArray.zeros([20_000]));
    expect(() => writeHdf5(root)).toThrow('The attribute "large" of "/g" takes 80047 bytes');
  });

  it("by the thousand fit, with their texts in several heaps", () => {
    const root = new H5GroupNode();
    for (let i = 0; i < 61_000; i++) root.attributes.set(`a${i}`, `text ${i}`);
    const read = reopen(root).attributes;
    for (const i of [0, 59_999, 60_000, 60_999]) expect(read.get(`a${i}`)).toBe(`text ${i}`);
  });
});

describe("groups", () => {
  it("keep the order and any name of their members", () => {
    const root = new H5GroupNode();
    const names = ["z", "a", "1", "0", "__proto__", "name ü", "n".repeat(300), "."];
    for (const name of names) root.group(name);
    const file = reopen(root);
    expect(file.keys()).toEqual(names);
    expect(file.group("n".repeat(300))!.keys()).toEqual([]);
  });

  it("hold more members than 16 bits count", async () => {
    const root = new H5GroupNode();
    for (let i = 0; i < 70_000; i++) root.group(`g${i}`);
    expect(reopen(root).keys()).toHaveLength(70_000);
  });

  it("are made along a path, and paths are not reused", () => {
    const root = new H5GroupNode();
    root.dataset("a/b/c", NDArray.from(1));
    expect(root.group("/a//b/").children.has("c")).toBe(true);
    expect(() => root.dataset("a/b", NDArray.from(1))).toThrow('"a/b" is already taken');
    expect(() => root.group("a/b/c/d")).toThrow('"c" is a dataset');
    expect(() => root.dataset("", NDArray.from(1))).toThrow("needs a name");
    root.group("a").children.set("x/y", new H5GroupNode());
    expect(() => writeHdf5(root)).toThrow('"x/y" cannot be a name in the HDF5 group "/a"');
  });

  it("give undefined for what is not there", () => {
    const root = new H5GroupNode();
    root.dataset("a/b", NDArray.from(1));
    const file = reopen(root);
    expect(file.get("")).toBe(file);
    expect(file.get("a")).toBe(file.get("/a/"));
    for (const path of ["b", "a/c", "a/b/c"]) expect(file.has(path)).toBe(false);
    expect(file.group("a/b")).toBeUndefined();
    expect(file.dataset("a")).toBeUndefined();
    expect(file.dataset("a/b")!.path).toBe("a/b");
  });
});
