import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { OnResolveArgs, OnResolveResult } from "esbuild";
import { root } from "../support/dist.js";
import { addWasm } from "./bundles.js";

const pages = path.join(import.meta.dirname, "pages");

/** The runner gets of Node's modules what works in pages; the library's own files for Node are not loaded there. */
const standIn = ({ path: name, importer }: OnResolveArgs): OnResolveResult =>
  importer.startsWith(path.join(root, "test"))
    ? { path: path.join(pages, `${name.replace(":", "-")}.ts`) }
    : { path: name, external: true };

/** Compiles the runner of recorded calls for pages, into a new folder that holds it as goldens.js. All engines are within its reach. */
export async function buildGoldensPage(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-goldens-page-"));
  await build({
    absWorkingDir: root,
    entryPoints: [path.join(pages, "goldens.ts")],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["source"],
    plugins: [{ name: "node", setup: (esbuild) => esbuild.onResolve({ filter: /^node:/ }, standIn) }],
    logLevel: "error",
  });
  await fs.copyFile(path.join(root, "test/golden/signatures.json"), path.join(folder, "signatures.json"));
  return addWasm(folder);
}
