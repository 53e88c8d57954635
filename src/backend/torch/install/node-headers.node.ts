import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const ofNode = (): string[] => [path.join(path.dirname(process.execPath), "../include/node"), "/usr/include/node"];

function ofPackage(): string {
  return (createRequire(import.meta.url)("node-api-headers") as { readonly include_dir: string }).include_dir;
}

/** Directory of node_api.h: of this Node, of the system, else of the package node-api-headers. Throws when there is none. */
export function nodeHeaders(directories = ofNode(), fallback = ofPackage): string {
  const found = directories.find((directory) => existsSync(path.join(directory, "node_api.h")));
  if (found) return found;
  try {
    return fallback();
  } catch (cause) {
    throw new Error(
      `This Node came without its headers (looked for node_api.h in ${directories.join(", ")}). Get them with: npm install node-api-headers@1.9.0`,
      { cause },
    );
  }
}
