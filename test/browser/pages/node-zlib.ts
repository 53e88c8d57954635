/** Stands for `node:zlib` in pages: the server unpacks. */
export function gunzipSync(): never {
  throw new Error("The server unpacks gzipped files.");
}
