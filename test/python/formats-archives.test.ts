import { describe, expect } from "vitest";
import { NDArray } from "../../src/core/ndarray.js";
import { readNpy, writeNpy } from "../../src/formats/npy.js";
import { openNpz, writeNpz } from "../../src/formats/npz.js";
import { parsePythonJson, stringifyPythonJson } from "../../src/formats/python-json.js";
import { openZip, writeZip } from "../../src/formats/zip/index.js";
import { itRequires, runPython } from "../support/require.js";
import { exchange, plain } from "./exchange.js";

const { read, write, python } = exchange();

describe("zip archives", () => {
  const text = new TextEncoder().encode("some text ".repeat(100));

  for (const zip64 of [false, true]) {
    itRequires(["numpy"], `zipfile reads ours (zip64: ${zip64})`, async () => {
      const members = [
        { name: "config.json", data: text },
        { name: "assets/größe.txt", data: [text, text.subarray(5)] },
        { name: "empty", data: new Uint8Array(0) },
      ];
      await write("ours.zip", writeZip(members, { zip64, modified: new Date(2024, 1, 29, 12, 34, 56) }));
      const seen = await python(`
import zipfile
z = zipfile.ZipFile("ours.zip")
assert z.testzip() is None
print(json.dumps([[i.filename, z.read(i).decode(), list(i.date_time), i.compress_type] for i in z.infolist()]))
`);
      const date = [2024, 2, 29, 12, 34, 56];
      const plainText = "some text ".repeat(100);
      expect(seen).toEqual([
        ["config.json", plainText, date, 0],
        ["assets/größe.txt", plainText + plainText.slice(5), date, 0],
        ["empty", "", date, 0],
      ]);
    });
  }

  itRequires(["numpy"], "we read those of zipfile: stored, deflated, streamed, zip64, commented", async () => {
    await python(`
import zipfile
class Pipe:
    def __init__(self, f): self.f = f
    def write(self, b): return self.f.write(b)
    def flush(self): self.f.flush()
for name, wrap in [("files.zip", lambda f: f), ("stream.zip", Pipe)]:
    with open(name, "wb") as f, zipfile.ZipFile(wrap(f), "w") as z:
        z.writestr("stored", "some text " * 100)
        z.writestr("deflated", "some text " * 100, compress_type=zipfile.ZIP_DEFLATED)
        z.writestr("größe/", "")
        with z.open("large", "w", force_zip64=True) as m: m.write(b"some text " * 100)
        z.comment = b"PK\\x05\\x06 in a comment, and enough bytes to look like a record"
print("null")
`);
    for (const name of ["files.zip", "stream.zip"]) {
      const zip = openZip(await read(name), { source: name });
      expect(zip.names).toEqual(["stored", "deflated", "größe/", "large"]);
      for (const member of ["stored", "deflated", "large"]) expect(await zip.read(member)).toEqual(text);
    }
  });
});

describe("npy and npz", () => {
  const codes = [
    "b1",
    "u1",
    "u2",
    "u4",
    "u8",
    "i1",
    "i2",
    "i4",
    "i8",
    "f2",
    "f4",
    "f8",
    "c8",
    ">i2",
    ">f4",
    ">c8",
    ">f2",
  ];

  itRequires(["numpy"], "we read NumPy's in both orders, deflated too", async () => {
    const expected = await python(`
arrays = {}
for t in ${JSON.stringify([...codes, "c16", ">c16"])}:
    a = (np.arange(24) % 2 if t == "b1" else np.arange(24)).reshape(2, 3, 4).astype(t)
    arrays[t] = a
    arrays[t + " F"] = np.asfortranarray(a)
    arrays[t + " scalar"] = a[1, 2, 3]
    arrays[t + " empty"] = a[:0]
np.savez("stored.npz", **arrays)
np.savez_compressed("deflated.npz", **arrays)
np.save("text.npy", np.array([["ä", "bcd"], ["", "\\U0001f600"]]))
np.save("object.npy", np.array([{}], object))
np.lib.format.write_array(open("v2.npy", "wb"), np.arange(3), version=(2, 0))
np.lib.format.write_array(open("v3.npy", "wb"), np.arange(3), version=(3, 0))
def plain(v): return [plain(x) for x in v] if isinstance(v, list) else [v.real, v.imag] if isinstance(v, complex) else v
print(json.dumps({k: [list(v.shape), plain(v.tolist())] for k, v in arrays.items()}))
`);
    for (const name of ["stored.npz", "deflated.npz"]) {
      const arrays = await openNpz(await read(name)).readAll();
      const seen = Object.fromEntries([...arrays].map(([key, array]) => [key, [array.shape, plain(array)]]));
      expect(seen).toEqual(expected);
    }
    for (const name of ["v2.npy", "v3.npy"]) expect(plain(readNpy(await read(name)))).toEqual([0, 1, 2]);
    const text = await read("text.npy");
    expect(() => readNpy(text)).toThrow("holds text");
    const object = await read("object.npy");
    expect(() => readNpy(object, "object.npy")).toThrow("object.npy: holds Python objects");
  });

  itRequires(["numpy"], "NumPy reads ours", async () => {
    const arrays: [string, NDArray][] = [];
    for (const dtype of [
      "bool",
      "uint8",
      "int16",
      "int64",
      "uint64",
      "float16",
      "float32",
      "float64",
      "complex64",
    ] as const) {
      arrays.push([dtype, NDArray.from([[0, 1], [1, 0], [1, 1]], dtype)]); // prettier-ignore
    }
    arrays.push(["columns", new NDArray(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3], "float32", [1, 2])]);
    arrays.push(["strided", new NDArray(Float32Array.of(1, 2, 3, 4, 5, 6), [2], "float32", [3], 1)]);
    arrays.push(["scalar", NDArray.from(1.5)], ["vector", NDArray.from([1, 2])], ["empty", NDArray.zeros([0, 2])]);
    await write("ours.npz", writeNpz(arrays));
    await write("ours.npy", writeNpy(NDArray.from([1, 2, 3], "bfloat16")));
    const seen = await python(`
z = np.load("ours.npz")
def plain(v): return [plain(x) for x in v] if isinstance(v, list) else [v.real, v.imag] if isinstance(v, complex) else v
assert z["columns"].flags.f_contiguous
assert np.load("ours.npy").dtype == np.dtype("V2")
print(json.dumps({k: [z[k].dtype.name, list(z[k].shape), plain(z[k].tolist())] for k in z.files}))
`);
    expect(seen).toEqual(Object.fromEntries(arrays.map(([name, a]) => [name, [a.dtype, a.shape, plain(a)]])));
  });
});

itRequires(["numpy"], "JSON is read and written as Python's json module does", async () => {
  const printed = await runPython(
    `
import json, math, random, struct
random.seed(1)
floats = [struct.unpack("<d", random.randbytes(8))[0] for _ in range(3000)]
floats = [x for x in floats if not math.isnan(x)] + [0.0, -0.0, 1.0, 1e15, 1e16, 123456789012345680.0, 1e22, 0.0001, 0.00001, 1e-7, 5e-324, 1.7976931348623157e308, 0.0010000000474974513, math.nan, math.inf, -math.inf]
value = {"floats": floats + [random.uniform(-1e6, 1e6) for _ in range(500)], "ints": [0, -1, 2**31, 2**53, 2**64, -2**70], "text": "ä\\u0000\\x7f\\t\\n\\"\\\\/\\U0001f600\\ud800", "2": {}, "1": [], "nested": [[1, 1.0, None, True, {"a": False}]]}
print(json.dumps([json.dumps(value), json.dumps(value, indent=4)]))
`,
  );
  const [line, indented] = JSON.parse(printed) as [string, string];
  const value = parsePythonJson(line, { floats: "wrap", objects: "map" });
  expect(stringifyPythonJson(value)).toBe(line);
  expect(stringifyPythonJson(value, { indent: 4 })).toBe(indented);
});
