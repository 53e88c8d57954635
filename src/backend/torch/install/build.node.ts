import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { type BuiltAddon, addonFile, stateOf } from "./cache.node.js";
import { compilerCommand, isClang, runCompiler } from "./compiler.node.js";
import type { Libtorch } from "./find.node.js";
import { nodeHeaders } from "./node-headers.node.js";
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
  const addon = addonFile(libtorch, sources, [
    ...compilerCommand(),
    ...compile,
    ...units().flatMap(({ flags }) => flags),
    ...link,
  ]);
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

/** In a directory of its own, whose result is then moved into place: builds at the same time do not meet. */
async function build(addon: string, compile: readonly string[], link: readonly string[]): Promise<void> {
  const target = path.dirname(addon);
  mkdirSync(target, { recursive: true });
  const work = mkdtempSync(path.join(target, "build-"));
  // The first run that fails ends the others.
  const others = new AbortController();
  try {
    const objects = await sideBySide(units(), async ({ files, flags }, index) => {
      const object = path.join(work, `${index}.o`);
      const text = files.map((file) => `#include ${JSON.stringify(path.join(sourceDirectory(), file))}\n`).join("");
      await runCompiler([...compile, ...flags, "-x", "c++", "-c", "-", "-o", object], text, others.signal);
      return object;
    });
    const result = path.join(work, "keras-torch.node");
    await runCompiler(["-shared", "-o", result, ...objects, ...link], "");
    renameSync(result, addon);
  } finally {
    others.abort();
    rmSync(work, { recursive: true, force: true });
  }
}

/** Results of `run` for all items, which begin in order, as many at a time as there are processors. */
async function sideBySide<Item, Result>(
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await run(items[index]!, index);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

/** What is compiled in one run of the compiler, and how. */
interface Unit {
  readonly files: readonly string[];
  readonly flags: readonly string[];
}

/**
 * libtorch's headers take longer than all of our code, so a run for each file would take several times as long. The first
 * run, which is the longest, has what needs the headers of libtorch's dispatcher and of TorchScript, the second all else
 * but the loops on plain memory, which are where time goes when programs run.
 */
function units(): Unit[] {
  const files = sourceFiles().filter((file) => file.endsWith(".cc"));
  const of = (...folders: string[]): string[] => files.filter((file) => folders.includes(path.posix.dirname(file)));
  // Fewer collections of the compiler's garbage, at some 150 MB more of memory.
  const collect = isClang() ? [] : ["--param", "ggc-min-expand=400", "--param", "ggc-min-heapsize=1000000"];
  return [
    { files: of("dispatch", "script"), flags: ["-O1", ...collect] },
    { files: of(".", "fused", "machine", "parallel"), flags: ["-O1", ...collect] },
    { files: of("loops"), flags: ["-std=c++17", "-O2"] },
  ];
}

function compileFlags(libtorch: Libtorch): string[] {
  const [major = 0, minor = 0] = libtorch.version.split(".").map(Number);
  const standard = major > 2 || (major === 2 && minor >= 11) ? "c++20" : "c++17";
  const { include } = libtorch;
  // Headers of others as system headers: their warnings are not ours.
  const system = [nodeHeaders(), include, path.join(include, "torch/csrc/api/include")];
  return [
    `-std=${standard}`,
    // Square roots then need no branch, and loops over them can be vectorized.
    "-fno-math-errno",
    ...threads(),
    // As libtorch is built: else its headers' functions trace and check each call.
    "-DNDEBUG",
    "-fPIC",
    "-fvisibility=hidden",
    // libtorch's headers then include the ops that they need, not all.
    "-DAT_PER_OPERATOR_HEADERS",
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
const threads = (): string[] => (process.platform === "darwin" || isClang() ? [] : ["-fopenmp"]);

function linkFlags({ lib, cuda }: Libtorch): string[] {
  const common = [`-L${lib}`, `-Wl,-rpath,${lib}`];
  if (process.platform === "darwin") return [...common, "-undefined", "dynamic_lookup", "-ltorch_cpu", "-lc10"];
  // Without the first, libtorch_cuda, none of whose symbols are used, would not be loaded. Unloading libtorch when a worker ends is not safe.
  const always = ["-Wl,--no-as-needed", "-ltorch_cpu", "-lc10", ...(cuda ? ["-ltorch_cuda", "-lc10_cuda"] : [])];
  return [...common, ...always, "-lpthread", "-Wl,-z,nodelete", "-s"];
}
