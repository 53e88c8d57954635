import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type NpzArchive, openNpz } from "../../src/formats/npz.js";
import type { NDArray } from "../../src/core/ndarray.js";

/** One recorded call of Python Keras; what its fields mean depends on the kind. */
export interface GoldenCase {
  readonly id: string;
  readonly kind: string;
  readonly target: string;
  readonly args: readonly unknown[];
  readonly kwargs: Readonly<Record<string, unknown>>;
  readonly out?: unknown;
  readonly random?: boolean;
  readonly grads?: readonly { readonly leaf: number; readonly value: unknown }[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}
/** Reads arrays of a kind by their keys. */
export type Arrays = (key: string) => Promise<NDArray>;
const folders = new WeakMap<Arrays, string>();
/** Where the cases whose arrays these are lie. */
export const folderOf = (arrays: Arrays): string => folders.get(arrays) ?? ".";

const plainOrPacked = (path: string): Uint8Array =>
  existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));

/** The kinds of cases in a folder of goldens. */
export const kindsIn = (folder: string): string[] =>
  [...new Set(readdirSync(folder).flatMap((file) => /^(.*)\.jsonl(\.gz)?$/.exec(file)?.[1] ?? []))].sort();

/** The cases of one kind, with access to their arrays. Files may be gzipped. */
export function readCases(folder: string, kind: string): { cases: GoldenCase[]; arrays: Arrays } {
  const lines = new TextDecoder().decode(plainOrPacked(join(folder, `${kind}.jsonl`))).split("\n");
  const cases = lines.filter(Boolean).map((line) => JSON.parse(line) as GoldenCase);
  const path = join(folder, `${kind}.npz`);
  let archive: NpzArchive | null = null;
  const cache = new Map<string, Promise<NDArray>>();
  const arrays = (key: string): Promise<NDArray> => {
    archive ??= openNpz(readFileSync(path), { source: path });
    let array = cache.get(key);
    if (!array) cache.set(key, (array = archive.read(key)));
    return array;
  };
  folders.set(arrays, folder);
  return { cases, arrays };
}
