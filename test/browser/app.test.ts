import fs from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, describe, expect } from "vitest";
import { root } from "../support/dist.js";
import { evaluate, installPacked } from "../support/installed.js";
import { itRequires } from "../support/require.js";
import { type Bundle, bundlers, preparePages, withEsbuild } from "./bundles.js";
import type { ScenarioResult } from "./pages/results.js";
import { runPage, type Site } from "./run-page.js";

let preparing: Promise<string> | undefined;
const project = (): Promise<string> =>
  (preparing ??= installPacked().then(async (installed) => {
    await preparePages(installed.project);
    return installed.project;
  }));
afterAll(async () => {
  if (preparing) await fs.rm(await preparing, { recursive: true, force: true });
});

let expecting: Promise<ScenarioResult> | undefined;
/** What the same program finds in Node, on the built-in engine. */
const inNode = (): Promise<ScenarioResult> => (expecting ??= runInNode());
async function runInNode(): Promise<ScenarioResult> {
  const folder = await project();
  await build({
    entryPoints: [path.join(folder, "src/scenario.ts")],
    outfile: path.join(folder, "scenario.mjs"),
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
  });
  return evaluate(folder, `import { scenario } from "./scenario.mjs"; console.log(JSON.stringify(await scenario()));`);
}

/**
 * What the JavaScript that such a page loads may weigh, in kB, minified and the same gzipped. The program saves and loads models, so all
 * classes that files may name are in it: the bounds grow with the library. docs/browsers.md tells what it is now.
 */
const limits = {
  numpy: { raw: 1_000, gzip: 350 },
  tensorflow: { raw: 1_500, gzip: 500 },
  jax: { raw: 1_300, gzip: 450 },
} as const;
type EngineName = keyof typeof limits;
const engines = Object.keys(limits) as EngineName[];

/** Files that belong to an engine alone. The built-in one is in all: others leave to it what theirs cannot do. */
const belongsTo: Readonly<Record<string, RegExp>> = {
  tensorflow: /^@tensorflow\/|^keras-ts\/dist\/backend\/tensorflow\.js$/,
  jax: /^@jax-js\/|^keras-ts\/dist\/backend\/jax\.js$/,
  torch: /^keras-ts\/dist\/(backend\/)?torch\.js$/,
  "the choosing": /^keras-ts\/dist\/backend\/auto\.js$/,
};

async function expectScenario(site: Site, engine: EngineName): Promise<ScenarioResult> {
  const wanted = await inNode();
  const found = await runPage<ScenarioResult>({ timeout: 110_000, ...site });
  expect(found.backend).toBe(engine);
  expect(found.draws.uniform).toEqual(wanted.draws.uniform);
  expect(found.draws.randint).toEqual(wanted.draws.randint);
  expectClose(found.draws.normal, wanted.draws.normal, 1e-5);
  // The built-in engine computes the same bits everywhere.
  if (engine === "numpy") expect(found.history).toEqual(wanted.history);
  else expectClose(found.history["loss"]!, wanted.history["loss"]!, 1e-4);
  expectClose(found.predictions, wanted.predictions, 1e-4);
  expectClose(found.reloaded, found.predictions, 1e-6);
  expect(await predictionsInNode(found.file)).toBe(wanted.predictions.length);
  expectFlat(found.memory, site.globals?.["KERAS_TFJS_BACKEND"] as string | undefined);
  return found;
}

function expectClose(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((x, i) => expect(Math.abs(x - expected[i]!)).toBeLessThanOrEqual(tolerance * (1 + Math.abs(x))));
}

function expectFlat({ before, after }: ScenarioResult["memory"], device?: string): void {
  expect(after.held).toBe(before.held);
  // TensorFlow.js reads from WebGPU through canvases, new ones each time, which the browser frees when it likes.
  if (device === "webgpu") return;
  // 40 steps that kept their activations, 96 images of 8x8 among 4 channels, would take 10 MB.
  expect(after.bytes! - before.bytes!).toBeLessThan(3e6);
}

/** How many numbers a `.keras` file from a page predicts in Node. */
async function predictionsInNode(file: readonly number[]): Promise<number> {
  const folder = await project();
  await fs.writeFile(path.join(folder, "from-page.keras"), Uint8Array.from(file));
  const code = `
    import { NDArray, models } from "keras-ts";
    const model = await models.loadModel("from-page.keras");
    const predicted = await model.predict(NDArray.zeros([96, 8, 8, 1]), { verbose: 0 });
    console.log(JSON.stringify(predicted.numbers().length));`;
  return evaluate(folder, code);
}

const bundles = new Map<string, Promise<Bundle>>();
/** A bundle of the app for an engine, made once. */
async function bundleFor(bundler: string, engine: EngineName): Promise<Bundle> {
  const key = `${bundler} ${engine}`;
  let bundle = bundles.get(key);
  if (!bundle) bundles.set(key, (bundle = bundlers[bundler]!({ project: await project(), page: "app.ts", engine })));
  return bundle;
}

describe("a bundle for one engine", () => {
  for (const bundler of Object.keys(bundlers))
    for (const engine of engines) {
      itRequires("dist", `of ${bundler} for ${engine} has nothing of the others`, async () => {
        const { modules } = await bundleFor(bundler, engine);
        expect(modules).toContain("keras-ts/dist/keras.js");
        for (const [name, files] of Object.entries(belongsTo)) {
          const found = modules.filter((file) => files.test(file));
          if (name === engine) expect(found).not.toEqual([]);
          else expect(found, name).toEqual([]);
        }
      });
      itRequires(["dist", "chromium"], `of ${bundler} for ${engine} trains in Chromium and is small`, async () => {
        const { folder } = await bundleFor(bundler, engine);
        const loaded: Uint8Array[] = [];
        const onFile = (name: string, content: Uint8Array): void => void (name.endsWith(".js") && loaded.push(content));
        await expectScenario({ folders: { "/": folder }, module: "/main.js", onFile }, engine);
        const raw = loaded.reduce((sum, { length }) => sum + length, 0) / 1000;
        const gzip = loaded.reduce((sum, content) => sum + gzipSync(content).length, 0) / 1000;
        console.log(`${bundler}, ${engine}: ${raw.toFixed(0)} kB, ${gzip.toFixed(0)} kB gzipped`);
        expect(raw).toBeLessThan(limits[engine].raw);
        expect(gzip).toBeLessThan(limits[engine].gzip);
      });
    }
});

describe("in Chromium", () => {
  for (const engine of ["numpy", "jax"] as const)
    itRequires(["dist", "chromium"], `${engine} trains without a bundler`, async () => {
      const folder = await project();
      const plain = await fs.mkdtemp(path.join(folder, "plain-"));
      await build({
        entryPoints: ["app", "report", "scenario"].map((name) => path.join(folder, `src/${name}.ts`)),
        outdir: plain,
      });
      const site: Site = {
        folders: {
          "/": plain,
          "/keras-ts/": path.join(folder, "node_modules/keras-ts/dist"),
          "/jax/": path.join(root, "node_modules/@jax-js/jax/dist"),
        },
        imports: {
          "keras-ts": "/keras-ts/index.js",
          "#backend": "/keras-ts/backend/auto.js",
          "@jax-js/jax": "/jax/index.js",
        },
        // The built-in engine needs no word.
        globals: engine === "numpy" ? {} : { KERAS_BACKEND: engine },
        module: "/app.js",
      };
      await expectScenario(site, engine);
    });

  for (const { engine, page, device } of [
    { engine: "tensorflow", page: "app-tensorflow.ts", device: "wasm" },
    { engine: "tensorflow", page: "app-tensorflow.ts", device: "webgl" },
    { engine: "tensorflow", page: "app-tensorflow.ts", device: "webgpu" },
  ] as const)
    itRequires(["dist", "chromium"], `globalThis.KERAS_BACKEND chooses ${engine} (${device})`, async () => {
      const { folder } = await withEsbuild({ project: await project(), page });
      // A step takes seconds where the processor plays a WebGPU device.
      const steps = device === "webgpu" ? 4 : 40;
      const globals = { KERAS_BACKEND: engine, KERAS_TFJS_BACKEND: device, steps };
      await expectScenario({ folders: { "/": folder }, module: "/main.js", globals }, engine);
    });

  itRequires(["dist", "chromium"], "an engine that does not exist is an error that lists those there are", async () => {
    const { folder } = await withEsbuild({ project: await project(), page: "app.ts" });
    const site = { folders: { "/": folder }, module: "/main.js", globals: { KERAS_BACKEND: "theano" } };
    await expect(runPage(site)).rejects.toThrow(/"theano" \(from globalThis\.KERAS_BACKEND\).*numpy, tensorflow, jax/);
  });
});
