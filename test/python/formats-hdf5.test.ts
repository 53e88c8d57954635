import { describe, expect } from "vitest";
import type { DType } from "../../src/core/dtype.js";
import { NDArray } from "../../src/core/ndarray.js";
import { FixedStrings, H5Group, H5GroupNode, openHdf5, writeHdf5 } from "../../src/formats/hdf5/index.js";
import type { H5Dataset } from "../../src/formats/hdf5/index.js";
import { itRequires } from "../support/require.js";
import { exchange, plain } from "./exchange.js";

const { read, write, python } = exchange();

/** What Python's side of a comparison is called with. */
const describeFile = `
import h5py
def plain(v):
    if isinstance(v, bytes): return v.decode()
    if isinstance(v, (np.ndarray, np.generic)): return plain(v.tolist())
    if isinstance(v, complex): return [v.real, v.imag]
    if isinstance(v, list): return [plain(x) for x in v]
    if isinstance(v, h5py.Empty): return None
    return v
def describe(name):
    out = {}
    with h5py.File(name, "r") as f:
        def visit(path, node):
            out[path] = {"attributes": {k: plain(v) for k, v in node.attrs.items()}}
            if isinstance(node, h5py.Dataset):
                v = node[()]
                if node.dtype.kind == "V" and node.dtype.names is None: v = np.asarray(v).view("u1")
                out[path]["dtype"] = "string" if node.dtype.kind in "OS" else node.dtype.newbyteorder("=").name
                out[path]["shape"] = list(node.shape or ())
                out[path]["value"] = plain(v)
        visit("", f)
        f.visititems(visit)
    return out
`;

interface Described {
  attributes: Record<string, unknown>;
  dtype?: string;
  shape?: readonly number[];
  value?: unknown;
}

async function describeOurs(node: H5Group | H5Dataset): Promise<Record<string, Described>> {
  const out: Record<string, Described> = {};
  const visit = async (node: H5Group | H5Dataset): Promise<void> => {
    const { attributes } = node;
    const described: Described = { attributes: {} };
    for (const name of attributes.names) described.attributes[name] = plain(attributes.get(name));
    out[node.path] = described;
    if (node instanceof H5Group) {
      for (const name of node.keys()) await visit(node.get(name)!);
      return;
    }
    const isText = node.dtype === "string";
    const value = isText ? await node.readStrings() : await node.read();
    described.dtype = node.dtype!;
    described.shape = node.shape;
    described.value = plain(value instanceof NDArray ? value : nest(value, node.shape));
  };
  await visit(node);
  return out;
}

const nest = (texts: readonly string[], shape: readonly number[]): unknown => {
  if (shape.length === 0) return texts[0];
  const step = texts.length / shape[0]!;
  return Array.from({ length: shape[0]! }, (_, i) => nest(texts.slice(i * step, (i + 1) * step), shape.slice(1)));
};

async function compareWithPython(code: string): Promise<Record<string, Described>> {
  const name = `${Math.random().toString(36).slice(2)}.h5`;
  const expected = await python(
    `${describeFile}\nNAME = ${JSON.stringify(name)}\n${code}\nprint(json.dumps(describe(NAME)))`,
  );
  const ours = await describeOurs(openHdf5(await read(name), { source: name }));
  expect(ours).toEqual(expected);
  return ours;
}

const sampleContent = `
def fill(f):
    r = np.random.default_rng(0)
    for t in ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8", ">i2", ">i4", ">u8", ">f2", ">f4", ">f8"]:
        f[f"numbers/{t}"] = (r.random((3, 4)) * 100).astype(t)
    f["bool"] = np.array([[True, False], [False, True]])
    f["scalar"] = np.float32(1.5)
    f["int_scalar"] = np.int64(-7)
    f["bool_scalar"] = True
    f["empty"] = np.zeros((0, 3), "f4")
    f["complex"] = np.array([1 + 2j, 3 - 4j], "c8")
    f["text"] = "héllo"
    f.create_dataset("texts", data=["a", "", "ünï", "x" * 300], dtype=h5py.string_dtype())
    f["fixed"] = np.array([[b"ab", b"c"], [b"", b"defg"]])
    f["a/b/c/d/e"] = np.arange(5, dtype="i4")
    g = f.create_group("attrs")
    g.attrs["text"] = "schlüssel"
    g.attrs["bytes"] = np.bytes_("abc")
    g.attrs["long"] = "y" * 60000
    g.attrs["int"] = 3
    g.attrs["big"] = np.int64(2**40)
    g.attrs["float"] = 0.1
    g.attrs["bool"] = True
    g.attrs["array"] = np.arange(6, dtype=">f4").reshape(2, 3)
    g.attrs["names"] = ["p", "qq", ""]
    g.attrs["fixed_names"] = np.array([b"p", b"qq"])
    g.attrs["none"] = h5py.Empty("f4")
`;

describe("HDF5 files of h5py", () => {
  for (const options of ["", `, libver="latest"`, `, libver=("earliest", "v108")`, `, userblock_size=1024`]) {
    itRequires(["h5py"], `h5py.File(name, "w"${options})`, async () => {
      const found = await compareWithPython(`${sampleContent}\nwith h5py.File(NAME, "w"${options}) as f: fill(f)`);
      expect(Object.keys(found).length).toBeGreaterThan(30);
    });
  }

  for (const libver of ["earliest", "latest"]) {
    itRequires(["h5py"], `chunked and filtered datasets (${libver})`, async () => {
      const found = await compareWithPython(`
r = np.random.default_rng(1)
a = r.integers(0, 50, (37, 23)).astype("i4")
b = r.random((9, 8, 7)).astype("f4")
with h5py.File(NAME, "w", libver="${libver}") as f:
    f.create_dataset("plain", data=a, chunks=(10, 7))
    f.create_dataset("gzip", data=a, chunks=(10, 7), compression="gzip")
    f.create_dataset("all", data=b, chunks=(4, 3, 5), compression="gzip", shuffle=True, fletcher32=True)
    f.create_dataset("sum", data=b, chunks=(4, 3, 5), fletcher32=True)
    f.create_dataset("single", data=a, chunks=a.shape, compression="gzip")
    f.create_dataset("single_plain", data=a, chunks=a.shape)
    f.create_dataset("one_unlimited", data=a, chunks=(10, 7), maxshape=(None, 23))
    f.create_dataset("second_unlimited", data=a, chunks=(3, 2), maxshape=(37, None), compression="gzip")
    f.create_dataset("both_unlimited", data=a, chunks=(3, 2), maxshape=(None, None), shuffle=True, compression="gzip")
    f.create_dataset("both_unlimited_plain", data=a, chunks=(5, 5), maxshape=(None, None))
    f.create_dataset("may_grow", data=a, chunks=(10, 7), maxshape=(100, 50))
    f.create_dataset("many", data=np.arange(5000, dtype="i2"), chunks=(2,), fletcher32=True)
    f.create_dataset("many_unlimited", data=np.arange(9000, dtype="i2"), chunks=(1,), maxshape=(None,))
    f.create_dataset("big_endian", data=a.astype(">i4"), chunks=(10, 7), compression="gzip", shuffle=True)
    f.create_dataset("texts", data=["a", "bb", "ccc"], dtype=h5py.string_dtype(), chunks=(2,), compression="gzip")
    f.create_dataset("unwritten", shape=(5, 5), dtype="f4", chunks=(2, 2), fillvalue=3.5)
    f.create_dataset("unwritten_plain", shape=(5, 5), dtype="f4", fillvalue=-1)
    d = f.create_dataset("sparse", shape=(4000,), dtype="i2", chunks=(2,), fillvalue=7)
    d[100:110] = 1
    d[3900] = 2
    d = f.create_dataset("sparse_unlimited", shape=(20000,), dtype="i2", chunks=(2,), maxshape=(None,))
    d[15000] = 2
    d = f.create_dataset("shrunk", data=np.arange(50), chunks=(7,), maxshape=(None,))
    d.resize((20,))
    d.resize((30,))
    space = h5py.h5s.create_simple((6, 5))
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((2, 2))
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    h5py.h5d.create(f.id, b"implicit", h5py.h5t.NATIVE_INT32, space, plist)
    f["implicit"][...] = np.arange(30).reshape(6, 5)
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.COMPACT)
    h5py.h5d.create(f.id, b"compact", h5py.h5t.NATIVE_INT32, space, plist)
    f["compact"][...] = np.arange(30).reshape(6, 5)
`);
      expect(found["all"]!.shape).toEqual([9, 8, 7]);
    });

    itRequires(["h5py"], `indexes with more chunks than one page holds (${libver})`, async () => {
      await python(`
import h5py
with h5py.File("pages.h5", "w", libver="${libver}") as f:
    for name, most in [("limited", 400000), ("unlimited", None)]:
        for filters in [None, "gzip"]:
            d = f.create_dataset(f"{name}_{filters}", shape=(400000,), dtype="i2", chunks=(2,), maxshape=(most,), compression=filters)
            d[[15000, 250000, 390001]] = [5, 6, 7]
print("null")
`);
      const root = openHdf5(await read("pages.h5"));
      expect(root.keys()).toHaveLength(4);
      for (const name of root.keys()) {
        const { data } = await root.dataset(name)!.read();
        const found = Array.from(data as Int16Array, (value, at) => [at, value]).filter(([, value]) => value !== 0);
        expect(found).toEqual([[15000, 5], [250000, 6], [390001, 7]]); // prettier-ignore
      }
    });

    itRequires(["h5py"], `groups with many members and objects with many attributes (${libver})`, async () => {
      const found = await compareWithPython(`
with h5py.File(NAME, "w", libver="${libver}") as f:
    for i in range(1500): f[f"many/member_{i}"] = np.int32(i)
    for i in range(300): f.create_group("groups/" + "long name " * 12 + str(i))
    g = f.create_group("attrs")
    for i in range(200): g.attrs[f"a{i}"] = i
    if "${libver}" == "latest":
        for i in range(12): g.attrs[f"large{i}"] = "z" * 10 + str(i)
        g.attrs["huge"] = np.arange(20000, dtype="f8")
    o = f.create_group("ordered", track_order=True)
    for i in range(40): o[f"m{40 - i}"] = np.int8(i)
`);
      expect(Object.keys(found).length).toBeGreaterThan(1800);
    });
  }

  itRequires(["h5py"], "named datatypes and hard links are followed, other links are refused", async () => {
    await python(`
import h5py
with h5py.File("links.h5", "w") as f:
    f["type"] = np.dtype("f4")
    d = f.create_dataset("named", data=np.arange(3, dtype="f4"), dtype=f["type"])
    f["same"] = d
    f["soft"] = h5py.SoftLink("/named")
    f["external"] = h5py.ExternalLink("other.h5", "/x")
    g = f.create_group("g")
    g["up"] = f["/"]
    layout = h5py.VirtualLayout(shape=(3,), dtype="f4")
    layout[:] = h5py.VirtualSource("other.h5", "x", shape=(3,))
    f.create_virtual_dataset("virtual", layout)
    f.create_dataset("outside", shape=(3,), dtype="f4", external=[("raw.bin", 0, 12)])
    f.create_dataset("vast", shape=(2**40,), dtype="f4", chunks=(2**20,))
    f.create_dataset("lzf", data=np.zeros(100), compression="lzf")
    f["reference"] = f.ref
print("null")
`);
    const root = openHdf5(await read("links.h5"), { source: "links.h5" });
    for (const name of ["named", "same"]) expect((await root.dataset(name)!.read()).toArray()).toEqual([0, 1, 2]);
    expect(() => root.get("soft")).toThrow("links.h5: /soft: is a soft link");
    expect(() => root.get("external")).toThrow("/external: is a external link");
    expect(() => root.get("g/up")).toThrow("leads back to a group that contains it");
    expect(() => root.get("type")).toThrow("named datatype");
    await expect(root.dataset("virtual")!.read()).rejects.toThrow("virtual datasets are not allowed");
    await expect(root.dataset("outside")!.read()).rejects.toThrow("/outside: keeps its elements in other files");
    await expect(root.dataset("vast")!.read()).rejects.toThrow("refusing to allocate");
    await expect(root.dataset("lzf")!.read()).rejects.toThrow("lzf");
    await expect(root.dataset("reference")!.read()).rejects.toThrow("a reference");
  });
});

describe("HDF5 files of ours", () => {
  const dtypes: readonly DType[] = [
    ...(["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"] as const),
    ...(["float16", "float32", "float64", "complex64"] as const),
  ];

  itRequires(["h5py"], "h5py reads the same names, types, values and attributes", async () => {
    const root = new H5GroupNode();
    for (const dtype of dtypes) {
      root.dataset(`numbers/${dtype}`, NDArray.from([[0, 1, 2, 3], [4, 5, 6, 7]], dtype)); // prettier-ignore
      root.dataset(`scalars/${dtype}`, NDArray.from(1, dtype));
      root.dataset(`empty/${dtype}`, NDArray.zeros([2, 0], dtype));
    }
    root.dataset("strided", new NDArray(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3], "float32", [1, 2]));
    root.dataset("text", "grün");
    root.dataset("texts", ["a", "", "ß".repeat(400)]);
    root.dataset("fixed", new FixedStrings(["one", "three"]));
    root.group("no members");
    for (let i = 0; i < 3000; i++) root.dataset(`many/${i}`, NDArray.from(i));
    const { attributes } = root.group("attrs");
    attributes.set("text", "naïve");
    attributes.set("long", "x".repeat(3_000_000));
    attributes.set("list", ["p", "qq", ""]);
    attributes.set("no texts", []);
    attributes.set("fixed", new FixedStrings(["p", "qq"]));
    attributes.set("fixed scalar", new FixedStrings("tensorflow"));
    attributes.set("int", -3);
    attributes.set("big", 2n ** 60n);
    attributes.set("float", 0.1);
    attributes.set("bool", true);
    attributes.set("array", NDArray.from([[1.5, 2], [3, 4]])); // prettier-ignore
    root.attributes.set("backend", "numpy");
    for (let i = 0; i < 3000; i++) root.group("heap").attributes.set(`a${i}`, `value ${i}`.repeat(1 + (i % 50)));
    const chunks = writeHdf5(root);
    await write("ours.h5", chunks);

    const theirs = (await python(`${describeFile}\nprint(json.dumps(describe("ours.h5")))`)) as Record<
      string,
      Described
    >;
    const ours = await describeOurs(openHdf5(await read("ours.h5")));
    expect(theirs["attrs"]!.attributes["big"]).toBe(2n ** 60n);
    expect(theirs).toEqual(ours);
    for (const dtype of dtypes) expect(theirs[`numbers/${dtype}`]!.dtype).toBe(dtype);
  });

  itRequires(["h5py", "jax"], "bfloat16 and float8 are opaque and marked, as Python Keras writes them", async () => {
    const root = new H5GroupNode();
    for (const dtype of ["bfloat16", "float8_e4m3fn", "float8_e5m2"] as const) {
      root.dataset(dtype, NDArray.from([1, -2.5, 0.25], dtype));
    }
    await write("opaque.h5", writeHdf5(root));
    const seen = await python(`
import h5py, ml_dtypes
with h5py.File("opaque.h5", "r") as f:
    print(json.dumps({k: [v.dtype.kind, v.attrs["dtype"], np.array(v).view(getattr(ml_dtypes, k)).astype("f4").tolist()] for k, v in f.items()}))
a = np.array([1, -2.5, 0.25], ml_dtypes.bfloat16)
with h5py.File("theirs.h5", "w") as f:
    d = f.create_dataset("x", data=a)
    d.attrs["dtype"] = "bfloat16"
    f.create_dataset("unmarked", data=a)
`);
    expect(seen).toEqual({
      bfloat16: ["V", "bfloat16", [1, -2.5, 0.25]],
      float8_e4m3fn: ["V", "float8_e4m3fn", [1, -2.5, 0.25]],
      float8_e5m2: ["V", "float8_e5m2", [1, -2.5, 0.25]],
    });
    const theirs = openHdf5(await read("theirs.h5"));
    expect(theirs.dataset("x")!.dtype).toBe("bfloat16");
    expect((await theirs.dataset("x")!.read()).toArray()).toEqual([1, -2.5, 0.25]);
    expect((await theirs.dataset("unmarked")!.read()).shape).toEqual([3, 2]);
  });
});
