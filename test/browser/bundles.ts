import fs from "node:fs/promises";
import path from "node:path";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { root } from "../support/dist.js";

/** A bundle of a page of `pages/`, as a user's project makes it of the installed package. */
export interface Bundle {
  readonly folder: string;
  /** The files that gave code, by their paths in the project or behind node_modules. */
  readonly modules: readonly string[];
}
export interface BundleOptions {
  readonly project: string;
  /** The page's file, for example "app.ts"; it becomes "main.js". */
  readonly page: string;
  /** The engine to bind; all are within reach when there is none. */
  readonly engine?: string;
}
export type Bundler = (options: BundleOptions) => Promise<Bundle>;

const external = /^node:/;
const conditionsFor = (engine?: string): string[] => (engine === undefined ? [] : [`keras-${engine}`]);
const pages = path.join(import.meta.dirname, "pages");

/** Puts the pages, and the packages that engines stand on, into a project that has keras-ts installed. */
export async function preparePages(project: string): Promise<void> {
  await fs.cp(pages, path.join(project, "src"), { recursive: true });
  for (const scope of ["@tensorflow", "@jax-js"])
    await fs.symlink(path.join(root, "node_modules", scope), path.join(project, "node_modules", scope));
}

/** Bundles with esbuild. */
export const withEsbuild: Bundler = async ({ project, page, engine }) => {
  const folder = await fs.mkdtemp(path.join(project, "esbuild-"));
  const { metafile } = await esbuild({
    absWorkingDir: project,
    entryPoints: { main: path.join("src", page) },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: conditionsFor(engine),
    external: ["node:*"],
    metafile: true,
    logLevel: "error",
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const modules = inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
  return { folder: await addWasm(folder), modules: modules.map(shorten) };
};

/** Bundles with Vite, which leaves it to Rollup. */
export const withVite: Bundler = async ({ project, page, engine }) => {
  const folder = await fs.mkdtemp(path.join(project, "vite-"));
  const built = await vite({
    root: project,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: [...conditionsFor(engine), "module", "browser", "production"] },
    build: {
      outDir: folder,
      target: "es2022",
      modulePreload: false,
      chunkSizeWarningLimit: 5_000,
      rollupOptions: {
        input: { main: path.join(project, "src", page) },
        output: { entryFileNames: "[name].js" },
        preserveEntrySignatures: "strict",
        external,
      },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((result) =>
    "output" in result ? result.output : [],
  );
  const modules = outputs.flatMap((output) => (output.type === "chunk" ? Object.entries(output.modules) : []));
  return {
    folder: await addWasm(folder),
    modules: modules.flatMap(([file, { renderedLength }]) => (renderedLength > 0 ? [shorten(file)] : [])),
  };
};

export const bundlers: Readonly<Record<string, Bundler>> = { esbuild: withEsbuild, Vite: withVite };

/** TensorFlow.js looks for its WebAssembly beside the page. */
export async function addWasm(folder: string): Promise<string> {
  const wasm = path.join(root, "node_modules/@tensorflow/tfjs-backend-wasm/dist");
  for (const file of await fs.readdir(wasm))
    if (file.endsWith(".wasm")) await fs.copyFile(path.join(wasm, file), path.join(folder, file));
  return folder;
}

/** "keras-ts/dist/keras.js" for a file anywhere below a node_modules. */
const shorten = (file: string): string => file.replaceAll("\\", "/").replace(/^.*node_modules\//, "");
