import { checkOptions } from "../trainers/check-options.js";
import { hasFiles } from "../utils/files.js";

export interface GetFileOptions {
  /** Name of the file in the cache; by default the last part of the URL. */
  readonly fname?: string | null;
  /** Expected checksum in hexadecimal: SHA-256, or MD5 when it has 32 digits. Files that do not match are fetched again. */
  readonly fileHash?: string | null;
  /** Directory inside the cache. By default "datasets". */
  readonly cacheSubdir?: string;
  /** The cache; by default `$KERAS_HOME` or `~/.keras`. */
  readonly cacheDir?: string | null;
  /** Whether to fetch the file even when it is there. */
  readonly forceDownload?: boolean;
}

/**
 * The path of a file that is downloaded once and then kept, in Node. The download shows its progress and gets its name only when it
 * is complete and its checksum is right.
 * @throws Error telling how to put the file in place by hand when it cannot be fetched, or is not what it should be.
 */
export async function getFile(origin: string, options: GetFileOptions = {}): Promise<string> {
  checkOptions("getFile", options, ["fname", "fileHash", "cacheSubdir", "cacheDir", "forceDownload"]);
  if (!hasFiles()) throw new Error(`getFile keeps files, which browsers do not do. Use fetch("${origin}").`);
  const { getCachedFile } = await import("./get-file.node.js");
  return getCachedFile(origin, options);
}
