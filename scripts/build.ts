import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { rollup } from "rollup";
import { chunkPlan } from "./build/chunks.js";
import { effectfulModules, entriesOf, linkEntries } from "./build/entries.js";
import { writeNodeCopy } from "./build/node-copy.js";
import { partFor } from "./build/parts.js";
import { typescript } from "./build/typescript.js";

/**
 * Builds dist/: a thin module per public entry around keras.js, which holds what they share, and type declarations in dist/types.
 *
 * `#backend` stays an import, so that a user's bundler binds the engine.
 */
const root = path.resolve(import.meta.dirname, "..");
const packageJson = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"));
const entries = entriesOf(packageJson);
const dist = path.join(root, "dist");

const missing = entries.filter(({ source }) => !existsSync(path.join(root, source)));
if (missing.length > 0) {
  const names = missing.map(({ name, source }) => `${name} (${source})`).join(", ");
  throw new Error(`package.json offers modules that have no source: ${names}.`);
}

const started = performance.now();
await fs.rm(dist, { recursive: true, force: true });
const sourceOf = ({ source }: { readonly source: string }): string => path.resolve(root, source);
/** Engines and commands: they bring their own modules, and what they share with the others is in keras.js anyway. */
const standsAlone = ({ output }: { readonly output: string }): boolean => /^\.\/dist\/(backend|cli)\//.test(output);
const isEffectful = effectfulModules(root, packageJson.sideEffects);
const bundle = await rollup({
  input: Object.fromEntries(entries.map((entry) => [stem(entry.output), sourceOf(entry)])),
  plugins: [linkEntries(root, entries), typescript()],
  external: (id) => id === "#backend" || id.startsWith("node:") || Object.hasOwn(packageJson.peerDependencies, id),
  treeshake: { moduleSideEffects: isEffectful },
  onwarn(warning) {
    // Shape rules and gradients of primitives are written in each other, and Node's parts in the core; they meet only when they are called.
    if (!/^CIRCULAR_(DEPENDENCY|CHUNK)$/.test(warning.code ?? "")) throw new Error(warning.message);
  },
});
const graph = new Map((bundle.cache?.modules ?? []).map(({ id, dependencies }) => [id, dependencies]));
const plan = chunkPlan(
  {
    entries: entries.filter((entry) => !standsAlone(entry)).map(sourceOf),
    engines: entries.filter(standsAlone).map(sourceOf),
  },
  isEffectful,
  { importedIdsOf: (id) => graph.get(id) },
);
const options = {
  format: "es",
  chunkFileNames: "[name].js",
  minifyInternalExports: false,
  hoistTransitiveImports: false,
} as const;
const { output } = await bundle.write({ ...options, dir: dist, manualChunks: plan });
const forNode = await bundle.generate({
  ...options,
  manualChunks(id) {
    const name = plan(id);
    return name === "keras" ? (partFor(path.join(root, "src"), id) ?? name) : name;
  },
});
await bundle.close();
await writeNodeCopy(
  path.join(dist, "node"),
  // Commands are run by their file.
  forNode.output.filter((file) => file.type === "chunk").filter(({ fileName }) => !fileName.startsWith("cli/")),
);

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const types = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (types.status !== 0) process.exit(1);

const chunks = output.filter((file) => file.type === "chunk");
const kilobytes = chunks.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0) / 1024;
const seconds = (performance.now() - started) / 1000;
console.log(
  `dist/: ${entries.length} entries, ${chunks.length} files, ${kilobytes.toFixed(0)} kB, in ${seconds.toFixed(1)} s`,
);

/** "backend/numpy" for "./dist/backend/numpy.js". */
function stem(output: string): string {
  return path.posix.relative("dist", output).replace(/\.js$/, "");
}
