import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addonFile, recall, remember } from "./cache.node.js";
import { findLibtorch } from "./find.node.js";
import type { Libtorch } from "./find.node.js";

const suffix = process.platform === "darwin" ? "dylib" : "so";
let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), "keras-torch-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

it("reads version and ABI of a libtorch that LIBTORCH names, and says what one lacks", () => {
  const find = () => findLibtorch({ LIBTORCH: folder });
  expect(find().looked).toEqual([`LIBTORCH: no ${folder}/lib/libtorch_cpu.${suffix}`]);
  put(`lib/libtorch_cpu.${suffix}`, "");
  expect(find().looked).toEqual([`LIBTORCH: no ${folder}/lib/libc10.${suffix}`]);
  put(`lib/libc10.${suffix}`, "..._ZN3c105ErrorC1ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt...");
  expect(find().looked[0]).toContain("no headers");
  put("include/ATen/ATen.h", "");
  expect(find().looked[0]).toContain("version.h");
  const version = (major: number, minor: number): void =>
    put(
      "include/torch/headeronly/version.h",
      `#define TORCH_VERSION_MAJOR ${major}\n#define TORCH_VERSION_MINOR ${minor}\n#define TORCH_VERSION_PATCH 1\n`,
    );
  version(1, 12);
  expect(find().looked).toEqual(["LIBTORCH: libtorch 1.12.1 is too old: 1.13 or later is needed"]);
  version(2, 13);
  const { libtorch } = find();
  expect(libtorch).toMatchObject({ version: "2.13.1", abi: 1, cuda: false, from: "LIBTORCH" });
});

it("asks a Python for its torch", () => {
  const python = path.join(folder, "python");
  put("python", `#!/bin/sh\necho "${folder}"\n`);
  expect(findLibtorch({ KERAS_TORCH_PYTHON: python }).looked).toEqual([`KERAS_TORCH_PYTHON=${python}: does not run`]);
  expect(findLibtorch({ KERAS_TORCH_PYTHON: "/nowhere/python" }).looked).toEqual([
    "KERAS_TORCH_PYTHON=/nowhere/python: no such program",
  ]);
  chmodSync(python, 0o755);
  const { libtorch } = findLibtorch({ KERAS_TORCH_PYTHON: python });
  expect(libtorch).toMatchObject({ lib: path.join(folder, "lib"), from: `KERAS_TORCH_PYTHON=${python}` });
  put("bare", "#!/bin/sh\necho\n");
  chmodSync(path.join(folder, "bare"), 0o755);
  expect(findLibtorch({ KERAS_TORCH_PYTHON: path.join(folder, "bare") }).looked[0]).toContain("bare: has no torch");
});

it("remembers what was built for which setting", () => {
  const cache = { KERAS_TORCH_CACHE: path.join(folder, "cache") };
  const built = (version: string) => ({
    addon: "a",
    library: "b",
    libraryState: "c",
    version,
    abi: 1,
    sources: "d",
  });
  expect(recall(cache)).toBeNull();
  remember(built("1"), { ...cache, LIBTORCH: "/one" });
  remember(built("2"), { ...cache, VIRTUAL_ENV: "/two" });
  expect(recall({ ...cache, LIBTORCH: "/one" })?.version).toBe("1");
  expect(recall({ ...cache, LIBTORCH: "/other" })).toBeNull();
  expect(recall({ ...cache, VIRTUAL_ENV: "/other" })?.version).toBe("2");
  expect(recall(cache)?.version).toBe("2");
});

it("names addons by what they are built from", () => {
  const libtorch: Libtorch = { include: "i", lib: "l", from: "test", version: "2.13.0", abi: 1, cuda: false };
  const names = [
    addonFile(libtorch, "s", ["-O2"]),
    addonFile(libtorch, "t", ["-O2"]),
    addonFile(libtorch, "s", ["-O1"]),
    addonFile({ ...libtorch, version: "2.14.0" }, "s", ["-O2"]),
    addonFile({ ...libtorch, abi: 0 }, "s", ["-O2"]),
  ];
  expect(new Set(names).size).toBe(names.length);
});
