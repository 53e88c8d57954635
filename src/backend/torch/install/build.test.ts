import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { buildAddon } from "./build.node.js";
import { compilerCommand } from "./compiler.node.js";
import type { Libtorch } from "./find.node.js";
import { nodeHeaders } from "./node-headers.node.js";

let folder: string;
let libtorch: Libtorch;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "keras-build-"));
  const lib = path.join(folder, "lib");
  mkdirSync(lib);
  for (const suffix of ["so", "dylib"]) writeFileSync(path.join(lib, `libtorch_cpu.${suffix}`), "");
  libtorch = { include: path.join(folder, "include"), lib, from: "test", version: "2.13.0", abi: 1, cuda: false };
});
beforeEach(() => {
  vi.stubEnv("KERAS_TORCH_CACHE", path.join(folder, "cache"));
  return () => vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes CXX a shell script. */
function compilerIs(script: string): void {
  const file = path.join(folder, "compiler");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  vi.stubEnv("CXX", file);
}
/** The last argument after -o. */
const output = 'while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done';

it("says that there is no compiler, and how to get or name one", async () => {
  vi.stubEnv("CXX", "/nonexistent");
  await expect(buildAddon(libtorch)).rejects.toThrow(/compiler \/nonexistent is not there.*Install.*CXX/s);
  vi.stubEnv("CXX", folder);
  await expect(buildAddon(libtorch)).rejects.toThrow(/does not start \(EACCES\)/);
});

it("gives the words of a compiler that fails, says what may help and leaves no files", async () => {
  compilerIs("echo 'error: unrecognized command-line option -std=c++20' >&2; exit 3");
  await expect(buildAddon(libtorch)).rejects.toThrow(/ended with 3:\nerror: unrecognized.*g\+\+ 11 or clang 14/s);
  compilerIs("echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1");
  await expect(buildAddon(libtorch)).rejects.toThrow(/Killed signal.*Memory did not suffice/s);
  const cache = path.join(folder, "cache");
  for (const name of readdirSync(cache)) expect(readdirSync(path.join(cache, name))).toEqual([]);
});

it("compiles once and finds the addon the next time", async () => {
  const log = path.join(folder, "log");
  compilerIs(`echo run >> '${log}'; ${output}; cat > "$out"`);
  const { built, seconds } = await buildAddon(libtorch);
  expect(existsSync(built.addon)).toBe(true);
  expect(seconds).toBeGreaterThan(0);
  const runs = readFileSync(log, "utf8").trim().split("\n").length;
  expect(runs).toBeGreaterThan(1);
  expect((await buildAddon(libtorch)).seconds).toBe(0);
  expect(readFileSync(log, "utf8").trim().split("\n").length).toBe(runs);
  await buildAddon(libtorch, { force: true });
  expect(readFileSync(log, "utf8").trim().split("\n").length).toBe(2 * runs);
});

it("takes a compiler with arguments, or with spaces in its path", () => {
  expect(compilerCommand({ CXX: "ccache  clang++ -m64" })).toEqual(["ccache", "clang++", "-m64"]);
  const spaced = path.join(folder, "my compiler");
  writeFileSync(spaced, "");
  expect(compilerCommand({ CXX: spaced })).toEqual([spaced]);
  expect(compilerCommand({}).length).toBe(1);
});

it("finds Node's headers, or says how to get them", () => {
  mkdirSync(path.join(folder, "headers"));
  writeFileSync(path.join(folder, "headers/node_api.h"), "");
  expect(nodeHeaders(["/nowhere", path.join(folder, "headers")])).toBe(path.join(folder, "headers"));
  expect(nodeHeaders(["/nowhere"], () => "/of/package")).toBe("/of/package");
  const none = (): string => {
    throw new Error("Cannot find module");
  };
  expect(() => nodeHeaders(["/nowhere"], none)).toThrow(/\/nowhere.*npm install node-api-headers/);
});
