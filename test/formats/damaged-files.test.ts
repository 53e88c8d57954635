import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { NDArray } from "../../src/core/ndarray.js";
import { FormatError } from "../../src/formats/format-error.js";
import { H5Group, H5GroupNode, openHdf5, writeHdf5 } from "../../src/formats/hdf5/index.js";
import { readNpy, writeNpy } from "../../src/formats/npy.js";
import { openNpz, writeNpz } from "../../src/formats/npz.js";
import { parsePythonJson } from "../../src/formats/python-json.js";
import { openZip, writeZip } from "../../src/formats/zip/index.js";
import { h5pyFile, h5pyFiles } from "./h5py-files.js";

const join = (chunks: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(chunks));

/** Runs `read` and returns the FormatErrors; anything else that is thrown fails the test. */
async function attempt(read: () => unknown): Promise<number> {
  try {
    await read();
    return 0;
  } catch (error) {
    if (error instanceof FormatError) return 1;
    throw error;
  }
}

/** Reads everything in an HDF5 file, going on behind every FormatError. */
async function readHdf5(bytes: Uint8Array): Promise<number> {
  let errors = 0;
  const readAll = async (group: H5Group): Promise<void> => {
    for (const name of group.attributes.names) errors += await attempt(() => group.attributes.get(name));
    for (const name of group.keys()) {
      errors += await attempt(async () => {
        const node = group.get(name)!;
        if (node instanceof H5Group) return readAll(node);
        await (node.dtype === "string" ? node.readStrings() : node.read());
      });
    }
  };
  return errors + (await attempt(() => readAll(openHdf5(bytes))));
}

async function readZip(bytes: Uint8Array): Promise<number> {
  return attempt(async () => {
    const zip = openZip(bytes);
    for (const name of zip.names) await zip.read(name);
  });
}

const arrays = new Map([["kernel", NDArray.from([[1, 2], [3, 4]])], ["flags", NDArray.from([true, false])]]); // prettier-ignore

function ourHdf5(): Uint8Array {
  const root = new H5GroupNode();
  for (const [name, array] of arrays) root.dataset(`layers/${name}`, array);
  root.dataset("complex", NDArray.from([1, 2], "complex64"));
  root.dataset("text", ["a", "bc"]);
  root.attributes.set("backend", "numpy");
  root.attributes.set("list", NDArray.from([1, 2, 3]));
  return join(writeHdf5(root));
}

const text = new TextEncoder().encode("some text ".repeat(20));
const files: [string, Uint8Array, (bytes: Uint8Array) => Promise<number>][] = [
  ["an HDF5 file", ourHdf5(), readHdf5],
  ...h5pyFiles.map((name): (typeof files)[0] => [`an HDF5 file of h5py (${name})`, h5pyFile(name), readHdf5]),
  ["a zip archive", join(writeZip([{ name: "a", data: text }, { name: "b", data: text }])), readZip], // prettier-ignore
  ["a zip64 archive", join(writeZip([{ name: "a", data: text }], { zip64: true })), readZip],
  ["an npz archive", join(writeNpz(arrays)), (bytes) => attempt(() => openNpz(bytes).readAll())],
  ["an npy file", join(writeNpy(arrays.get("kernel")!)), (bytes) => attempt(() => readNpy(bytes))],
  [
    "a deflated stream",
    new Uint8Array(deflateRawSync(text)),
    (bytes) =>
      attempt(async () => (await import("../../src/formats/inflate.js")).inflate(bytes, "deflate-raw", 200, "x")),
  ],
  [
    "JSON",
    new TextEncoder().encode('{"a": [1.5, -2e3, "x\\u00e4", null, true, NaN], "b": {"c": [[]]}}'),
    (bytes) => attempt(() => parsePythonJson(new TextDecoder().decode(bytes))),
  ],
];

describe.each(files)("%s", (_name, bytes, read) => {
  it("is read without an error as it is", async () => {
    expect(await read(bytes)).toBe(0);
  });

  it("gives a FormatError wherever it is cut off", async () => {
    const step = Math.max(1, Math.floor(bytes.length / 1500));
    for (let length = 0; length < bytes.length; length += step) {
      if ((await read(bytes.slice(0, length))) === 0)
        expect.fail(`${length} of ${bytes.length} bytes are read as if whole`);
    }
  });

  it("gives nothing but FormatErrors when bytes are changed", async () => {
    // A linear congruential generator: every run changes the same bytes.
    let state = 1;
    const random = (limit: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    // Long runs of zeros are unused space.
    const used = Array.from(bytes.keys()).filter((i) => bytes[i] !== 0 || bytes[i - 1] !== 0);
    let errors = 0;
    for (let round = 0; round < 250; round++) {
      const damaged = bytes.slice();
      for (let n = random(3); n >= 0; n--) damaged[used[random(used.length)]!] = [0, 0xff, random(256)][random(3)]!;
      errors += await read(damaged);
    }
    expect(errors).toBeGreaterThan(0);
  });
});
