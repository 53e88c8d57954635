import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** A libtorch with its headers. */
export interface Libtorch {
  /** Directory of the headers, with `ATen/` in it. */
  readonly include: string;
  /** Directory of the libraries. */
  readonly lib: string;
  /** Who told of it: a variable, an interpreter, the system. */
  readonly from: string;
  readonly version: string;
  /** Which std::string it was compiled with: 1 is that of C++11. */
  readonly abi: 0 | 1;
  readonly cuda: boolean;
}

/** What a search found, and every place it looked at with what was there. */
export interface Search {
  readonly libtorch: Libtorch | null;
  readonly looked: readonly string[];
}

const suffix = process.platform === "darwin" ? "dylib" : "so";

const systemLibraries = [
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib64",
  "/usr/lib",
  "/usr/local/lib",
  "/opt/homebrew/lib",
];

/**
 * Looks for libtorch: `LIBTORCH` (a directory with include/ and lib/); the torch of the Python that `KERAS_TORCH_PYTHON` names, of
 * `VIRTUAL_ENV`, of `python3` and of /usr/bin/python3; the system's libraries. A variable that is set decides alone.
 */
export function findLibtorch(env: Env = process.env): Search {
  const looked: string[] = [];
  const attempt = (from: string, candidate: Directories | string): Libtorch | null => {
    if (typeof candidate === "string") {
      looked.push(`${from}: ${candidate}`);
      return null;
    }
    const found = inspect(from, candidate);
    looked.push(`${from}: ${typeof found === "string" ? found : `libtorch ${found.version}`}`);
    return typeof found === "string" ? null : found;
  };

  const { LIBTORCH: directory, KERAS_TORCH_PYTHON: interpreter, VIRTUAL_ENV: venv } = env;
  if (directory) return { libtorch: attempt("LIBTORCH", inside(directory)), looked };
  if (interpreter) return { libtorch: attempt(`KERAS_TORCH_PYTHON=${interpreter}`, inPython(interpreter)), looked };
  const interpreters = [...(venv ? [path.join(venv, "bin/python")] : []), "python3", "/usr/bin/python3"];
  for (const python of new Set(interpreters)) {
    const libtorch = attempt(python, inPython(python));
    if (libtorch) return { libtorch, looked };
  }
  for (const lib of systemLibraries) {
    if (!existsSync(path.join(lib, `libtorch_cpu.${suffix}`))) continue;
    const include = lib.startsWith("/usr/lib") ? "/usr/include" : path.join(lib, "../include");
    const libtorch = attempt(lib, { include, lib });
    if (libtorch) return { libtorch, looked };
  }
  looked.push(`${systemLibraries.join(", ")}: nothing more`);
  return { libtorch: null, looked };
}

interface Directories {
  readonly include: string;
  readonly lib: string;
}

const inside = (directory: string): Directories => ({
  include: path.resolve(directory, "include"),
  lib: path.resolve(directory, "lib"),
});

/** Directories of the torch that a Python has, or why there is none. Does not import torch, which takes seconds. */
function inPython(python: string): Directories | string {
  // Not from the working directory, where a folder may happen to have this name.
  const code =
    'import sys; sys.path = [p for p in sys.path if p]; import importlib.util as u; s = u.find_spec("torch"); print(s.submodule_search_locations[0] if s else "")';
  try {
    const output = execFileSync(python, ["-c", code], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return output ? inside(output) : "has no torch";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "no such program" : "does not run";
  }
}

/** What is in the directories, or what is missing there. */
function inspect(from: string, { include, lib }: Directories): Libtorch | string {
  const library = path.join(lib, `libtorch_cpu.${suffix}`);
  const core = path.join(lib, `libc10.${suffix}`);
  for (const file of [library, core]) if (!existsSync(file)) return `no ${file}`;
  if (!existsSync(path.join(include, "ATen/ATen.h"))) return `no headers in ${include}`;
  const version = versionOf(include);
  if (version === null) return `no torch/version.h in ${include}`;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 1 || (major === 1 && minor < 13)) return `libtorch ${version} is too old: 1.13 or later is needed`;
  const cuda = existsSync(path.join(lib, `libtorch_cuda.${suffix}`));
  return { include, lib, from, version, abi: abiOf(lib), cuda };
}

function versionOf(include: string): string | null {
  for (const header of ["torch/headeronly/version.h", "torch/csrc/api/include/torch/version.h"]) {
    const file = path.join(include, header);
    if (!existsSync(file)) continue;
    const text = readFileSync(file, "utf8");
    const parts = ["MAJOR", "MINOR", "PATCH"].map(
      (part) => new RegExp(`#define TORCH_VERSION_${part} (\\d+)`).exec(text)?.[1],
    );
    if (parts.every((part) => part !== undefined)) return parts.join(".");
  }
  return null;
}

/** Asks the library itself, by the name of a constructor that takes a string: wheels up to 2.5 were built either way. */
function abiOf(lib: string): 0 | 1 {
  if (process.platform === "darwin") return 1;
  const bytes = readFileSync(path.join(lib, "libc10.so"));
  return bytes.includes("_ZN3c105ErrorC1ENS_14SourceLocationENSt7__cxx1112basic_string") ? 1 : 0;
}
