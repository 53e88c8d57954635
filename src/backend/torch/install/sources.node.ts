import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** Directory of the installed package, however its files were bundled. */
export function packageRoot(): string {
  return path.dirname(createRequire(import.meta.url).resolve("keras-ts/package.json"));
}

/** Directory of the addon's C++ sources. */
export const sourceDirectory = (): string => path.join(packageRoot(), "native/torch/src");

/** The addon's files, relative to `sourceDirectory`, sorted. */
export function sourceFiles(directory = sourceDirectory()): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(cc|h)$/.test(file))
    .map((file) => file.replaceAll(path.sep, "/"))
    .sort();
}

/** 12 hexadecimal digits of a hash over the addon's sources: a changed source makes another addon. */
export function sourceHash(directory = sourceDirectory()): string {
  const hash = createHash("sha256");
  for (const file of sourceFiles(directory)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(directory, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 12);
}
