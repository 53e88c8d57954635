import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { entriesOf, linkEntries } from "./build/entries.js";
import { pureTopLevel } from "./build/pure.js";

/**
 * Builds dist/: one bundle per public entry with shared chunks, and type declarations beside them in dist/types.
 *
 * Few files, since Node spends its start-up time per file. `#backend` stays an import, so that a user's bundler binds the engine.
 */
const root = path.resolve(import.meta.dirname, "..");
const packageJson = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"));
const entries = entriesOf(packageJson);

const missing = entries.filter(({ source }) => !existsSync(path.join(root, source)));
if (missing.length > 0) {
  const names = missing.map(({ name, source }) => `${name} (${source})`).join(", ");
  throw new Error(`package.json offers modules that have no source: ${names}.`);
}

const started = performance.now();
await fs.rm(path.join(root, "dist"), { recursive: true, force: true });
const { metafile, warnings } = await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(entries.map(({ source, output }) => [stem(output), source])),
  outdir: "dist",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  charset: "utf8",
  external: ["#backend", "node:*"],
  packages: "external",
  conditions: ["source"],
  plugins: [
    linkEntries(root, entries),
    pureTopLevel(/[\\/]src[\\/](backend[\\/](auto|[^\\/]+[\\/]index)|ops[\\/]operators)\.ts$/),
  ],
  metafile: true,
  logLevel: "warning",
});
// One of them says that an import for its side effects was dropped: then "sideEffects" in package.json lacks the module.
if (warnings.length > 0) process.exit(1);

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const types = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (types.status !== 0) process.exit(1);

const outputs = Object.values(metafile.outputs);
const kilobytes = outputs.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
const seconds = (performance.now() - started) / 1000;
console.log(
  `dist/: ${entries.length} entries, ${outputs.length} files, ${kilobytes.toFixed(0)} kB, in ${seconds.toFixed(1)} s`,
);

/** "backend/numpy" for "./dist/backend/numpy.js". */
function stem(output: string): string {
  return path.posix.relative("dist", output).replace(/\.js$/, "");
}
