import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The folder of the kernels' sources. */
export const source = path.resolve(import.meta.dirname, "../native/wasm");

/** SHA-256 over the kernels' sources, which the module made from them carries: a test compares the two. */
export function hashOfSources() {
  const hash = createHash("sha256");
  for (const name of readdirSync(source)
    .filter((file) => file.endsWith(".ts"))
    .sort()) {
    hash.update(`${name}\0${readFileSync(path.join(source, name), "utf8")}\0`);
  }
  return hash.digest("hex");
}
