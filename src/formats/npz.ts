import type { NDArray } from "../core/ndarray.js";
import { readNpy, readNpyStrings, writeNpy } from "./npy.js";
import { openZip } from "./zip/zip-archive.js";
import type { ZipArchive } from "./zip/zip-archive.js";
import { writeZip } from "./zip/write-zip.js";
import type { WriteZipOptions } from "./zip/write-zip.js";

const suffix = ".npy";

/** Arrays of an npz archive, read on demand. */
export class NpzArchive {
  constructor(private readonly zip: ZipArchive) {}

  /** Names of the arrays, without ".npy". */
  get names(): string[] {
    return this.zip.names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
  }

  has(name: string): boolean {
    return this.zip.has(name + suffix);
  }

  /** One array; throws a FormatError when there is none of that name or it is damaged. */
  async read(name: string): Promise<NDArray> {
    return readNpy(await this.zip.read(name + suffix), this.sourceOf(name));
  }

  /** One array of text, in row-major order. */
  async readStrings(name: string): Promise<string[]> {
    return readNpyStrings(await this.zip.read(name + suffix), this.sourceOf(name)).data;
  }

  /** All arrays by name. */
  async readAll(): Promise<Map<string, NDArray>> {
    const arrays = new Map<string, NDArray>();
    for (const name of this.names) arrays.set(name, await this.read(name));
    return arrays;
  }

  private sourceOf(name: string): string {
    return `${this.zip.source}: ${name}${suffix}`;
  }
}

/** Opens an npz archive in memory; `source` names it in errors. Throws a FormatError for what is none. */
export function openNpz(bytes: Uint8Array, options: { readonly source?: string } = {}): NpzArchive {
  return new NpzArchive(openZip(bytes, { source: options.source ?? "npz archive" }));
}

/** An npz archive of `arrays` by name, uncompressed, as chunks; the arrays' memory is passed through as views. */
export function writeNpz(arrays: Iterable<readonly [string, NDArray]>, options: WriteZipOptions = {}): Uint8Array[] {
  return writeZip(
    Array.from(arrays, ([name, array]) => ({ name: name + suffix, data: writeNpy(array) })),
    options,
  );
}
