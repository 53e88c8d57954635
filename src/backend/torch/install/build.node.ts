import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type BuiltAddon, addonFile, stateOf } from "./cache.node.js";
import type { Libtorch } from "./find.node.js";
import { sourceDirectory, sourceFiles, sourceHash } from "./sources.node.js";

/** What a build gave: the addon, and the seconds it took (0 when it was there already). */
export interface BuildResult {
  readonly built: BuiltAddon;
  readonly seconds: number;
}

/** Builds the addon for a libtorch, unless that very addon is in the cache. Throws with the compiler's words when it fails. */
export async function buildAddon(libtorch: Libtorch, { force = false } = {}): Promise<BuildResult> {
  if (process.platform === "win32")
    throw new Error("The torch engine is built with g++ or clang++ and knows Linux and macOS. Use WSL on Windows.");
  const sources = sourceHash();
  const compile = compileFlags(libtorch);
  const link = linkFlags(libtorch);
  const addon = addonFile(libtorch, sources, [compiler(), ...compile, ...link]);
  const started = performance.now();
  const isThere = existsSync(addon) && !force;
  if (!isThere) await build(addon, compile, link);
  const library = path.join(libtorch.lib, process.platform === "darwin" ? "libtorch_cpu.dylib" : "libtorch_cpu.so");
  const { version, abi } = libtorch;
  return {
    built: { addon, library, libraryState: stateOf(library), version, abi, sources },
    seconds: isThere ? 0 : (performance.now() - started) / 1000,
  };
}

const compiler = (): string => process.env["CXX"] || (process.platform === "darwin" ? "clang++" : "g++");

/** In a directory of its own, whose result is then moved into place: builds at the same time do not meet. */
async function build(addon: string, compile: readonly string[], link: readonly string[]): Promise<void> {
  const target = path.dirname(addon);
  mkdirSync(target, { recursive: true });
  const work = mkdtempSync(path.join(target, "build-"));
  try {
    const objects = await Promise.all(
      units().map(async (files, index) => {
        const object = path.join(work, `${index}.o`);
        const text = files.map((file) => `#include ${JSON.stringify(path.join(sourceDirectory(), file))}\n`).join("");
        await runCompiler([...compile, "-x", "c++", "-c", "-", "-o", object], text);
        return object;
      }),
    );
    const result = path.join(work, "keras-torch.node");
    await runCompiler(["-shared", "-o", result, ...objects, ...link]);
    renameSync(result, addon);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Files that are compiled in one run: those of each folder. libtorch's headers take longer than all of our code, so
 * a run for each file would take several times as long.
 */
function units(): string[][] {
  const folders = new Map<string, string[]>();
  for (const file of sourceFiles()) {
    if (!file.endsWith(".cc")) continue;
    const folder = path.posix.dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders.values()];
}

function compileFlags(libtorch: Libtorch): string[] {
  const [major = 0, minor = 0] = libtorch.version.split(".").map(Number);
  const standard = major > 2 || (major === 2 && minor >= 11) ? "c++20" : "c++17";
  const { include } = libtorch;
  // Headers of others as system headers: their warnings are not ours.
  const system = [nodeHeaders(), include, path.join(include, "torch/csrc/api/include")];
  return [
    `-std=${standard}`,
    "-O2",
    // Square roots then need no branch, and loops over them can be vectorized.
    "-fno-math-errno",
    ...threads(),
    "-fPIC",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
    `-D_GLIBCXX_USE_CXX11_ABI=${libtorch.abi}`,
    `-I${sourceDirectory()}`,
    // /usr/include is searched by itself, and must come after the compiler's own.
    ...system.filter((directory) => directory !== "/usr/include").flatMap((directory) => ["-isystem", directory]),
  ];
}

/**
 * Without OpenMP, `at::parallel_for` of libtorch's headers runs everything on one thread. g++ calls functions of GNU's
 * library for it, which libtorch brings along; linking the compiler's own would give the process a second set of threads.
 */
const threads = (): string[] => (process.platform === "darwin" || compiler().includes("clang") ? [] : ["-fopenmp"]);

function linkFlags({ lib, cuda }: Libtorch): string[] {
  const common = [`-L${lib}`, `-Wl,-rpath,${lib}`];
  if (process.platform === "darwin") return [...common, "-undefined", "dynamic_lookup", "-ltorch_cpu", "-lc10"];
  // Without the first, libtorch_cuda, none of whose symbols are used, would not be loaded. Unloading libtorch when a worker ends is not safe.
  const always = ["-Wl,--no-as-needed", "-ltorch_cpu", "-lc10", ...(cuda ? ["-ltorch_cuda", "-lc10_cuda"] : [])];
  return [...common, ...always, "-lpthread", "-Wl,-z,nodelete", "-s"];
}

/** Directory of node_api.h: of this Node, of the system, else of the package node-api-headers. */
function nodeHeaders(): string {
  const ofNode = [path.join(path.dirname(process.execPath), "../include/node"), "/usr/include/node"];
  const found = ofNode.find((directory) => existsSync(path.join(directory, "node_api.h")));
  if (found) return found;
  try {
    return (createRequire(import.meta.url)("node-api-headers") as { readonly include_dir: string }).include_dir;
  } catch {
    throw new Error(
      `This Node came without its headers (looked for node_api.h in ${ofNode.join(", ")}). Get them with: npm install node-api-headers@1.9.0`,
    );
  }
}

function runCompiler(flags: readonly string[], input = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(compiler(), flags, { stdio: ["pipe", "ignore", "pipe"] });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    child.stdin.on("error", () => undefined); // A compiler that fails early does not read its input.
    child.stdin.end(input);
    child.on("error", (error: NodeJS.ErrnoException) => {
      const missing = `There is no compiler ${compiler()}. Install one (apt-get install g++) or name it in CXX.`;
      reject(error.code === "ENOENT" ? new Error(missing, { cause: error }) : error);
    });
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${compiler()} ended with ${code}:\n${errors.slice(0, 8000)}`));
    });
  });
}
