import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { Libtorch } from "./find.node.js";

type Env = Readonly<Record<string, string | undefined>>;

/** A built addon, as the cache remembers it. */
export interface BuiltAddon {
  /** The .node file. */
  readonly addon: string;
  /** The libtorch it is linked with, and the state its file had. */
  readonly library: string;
  readonly libraryState: string;
  readonly version: string;
  readonly abi: number;
  /** Hash of the sources it was built from. */
  readonly sources: string;
}

/** Directory of what is built for this user: `KERAS_TORCH_CACHE`, else keras-ts/torch in the user's cache directory. */
export function cacheDirectory(env: Env = process.env): string {
  if (env["KERAS_TORCH_CACHE"]) return path.resolve(env["KERAS_TORCH_CACHE"]);
  const caches =
    process.platform === "darwin" ? path.join(homedir(), "Library/Caches") : path.join(homedir(), ".cache");
  return path.join(env["XDG_CACHE_HOME"] || caches, "keras-ts/torch");
}

/** The file of an addon with the given properties: another version, ABI, Node-API, system, source or flag is another file. */
export function addonFile(
  libtorch: Libtorch,
  sources: string,
  flags: readonly string[],
  env: Env = process.env,
): string {
  const hash = createHash("sha256")
    .update(`${sources}\0${flags.join("\0")}`)
    .digest("hex")
    .slice(0, 12);
  const { platform, arch } = process;
  const name = `torch-${libtorch.version}-abi${libtorch.abi}-napi8-${platform}-${arch}-${hash}`;
  return path.join(cacheDirectory(env), name, "keras-torch.node");
}

/** What tells a library file from a later one of the same name. */
export function stateOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${Math.floor(mtimeMs)}`;
}

/** The setting that led to a libtorch; a program that starts with the same finds the same addon. */
function selector(env: Env): { readonly name: string; readonly explicit: boolean } {
  for (const variable of ["LIBTORCH", "KERAS_TORCH_PYTHON", "VIRTUAL_ENV"]) {
    const value = env[variable];
    if (value) return { name: `${variable}=${value}`, explicit: variable !== "VIRTUAL_ENV" };
  }
  return { name: "default", explicit: false };
}

const recordFile = (name: string, env: Env): string =>
  path.join(cacheDirectory(env), `${createHash("sha256").update(name).digest("hex").slice(0, 16)}.json`);

/** Remembers an addon for programs that start with these variables, and as the latest one for all others. */
export function remember(built: BuiltAddon, env: Env = process.env): void {
  for (const name of [selector(env).name, "latest"])
    writeInPlace(recordFile(name, env), JSON.stringify(built, null, 2));
}

/** The addon built for these variables; without LIBTORCH and KERAS_TORCH_PYTHON also the latest one. Null when there is none. */
export function recall(env: Env = process.env): BuiltAddon | null {
  const { name, explicit } = selector(env);
  return read(recordFile(name, env)) ?? (explicit ? null : read(recordFile("latest", env)));
}

function read(file: string): BuiltAddon | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as BuiltAddon;
  } catch {
    return null;
  }
}

/** Writes a file in one step: others see the old one or the new one. */
function writeInPlace(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${Date.now()}`;
  try {
    writeFileSync(draft, text, { flag: "wx" });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
