import fs from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect } from "vitest";
import { files } from "../support/dist.js";
import { evaluate, installPacked } from "../support/installed.js";
import type { Installed } from "../support/installed.js";
import { itRequires } from "../support/require.js";

let installing: Promise<Installed> | undefined;
const project = async (): Promise<string> => (await (installing ??= installPacked())).project;
afterAll(async () => {
  if (installing) await fs.rm((await installing).project, { recursive: true, force: true });
});

const parts = (): string[] => files("dist/node").flatMap((file) => /([^/]+)\.part\.cjs$/.exec(file)?.[1] ?? []);
const train = `
  import * as keras from "keras-ts";
  import { Dense } from "keras-ts/layers";
  const model = new keras.Sequential([keras.Input({ shape: [2] }), new Dense(1, { kernelInitializer: "ones" })]);
  model.compile({ optimizer: "sgd", loss: "mse", metrics: ["mae"] });
  const { history } = await model.fit(keras.NDArray.from([[1, 2], [3, 4]]), [[1], [2]], { verbose: 0 });
  const copy = await keras.models.loadModel(await keras.models.saveModel(model));
  console.log(JSON.stringify({ loss: history.loss.length, same: copy.layers[0] instanceof keras.layers.Dense }));`;

describe("the copy of the package for Node", () => {
  itRequires("dist", "loads no part before it is used", async () => {
    const code = `
      import "keras-ts";
      import { createRequire } from "node:module";
      console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache).filter((file) => /\\.part\\./.test(file))));`;
    expect(await evaluate(await project(), code)).toEqual([]);
    const used = code.replace(
      "import { createRequire }",
      'import { losses } from "keras-ts"; losses.MeanSquaredError; $&',
    );
    expect(await evaluate(await project(), used)).toEqual([expect.stringMatching(/losses\.part\.cjs$/)]);
  });

  itRequires("dist", "can use any part first", async () => {
    expect(parts().length).toBeGreaterThan(5);
    for (const part of parts()) {
      const code = `
        import { $parts } from "./node_modules/keras-ts/dist/node/keras.js";
        console.log(JSON.stringify(Object.entries($parts.${part}()).filter(([, value]) => value === undefined)));`;
      expect(await evaluate(await project(), code), part).toEqual([]);
    }
  });

  itRequires("dist", "shows names and the place of an error as the sources write them", async () => {
    const code = `
      import { layers } from "keras-ts";
      try { new layers.Dense(-1); } catch (error) { console.log(JSON.stringify(error.stack)); }`;
    expect(await evaluate(await project(), code)).toMatch(
      /^TypeError: `Dense\.units` must be a positive integer.*\n    at wrongValue .*keras\.js:\d+:\d+\)\n.* checkInt /,
    );
  });

  itRequires("dist", "trains, saves and loads", async () => {
    expect(await evaluate(await project(), train)).toEqual({ loss: 1, same: true });
  });

  itRequires("dist", "works bundled for Node, parts included", async () => {
    const folder = await project();
    await build({
      stdin: { contents: train, resolveDir: folder },
      outfile: path.join(folder, "bundle/main.mjs"),
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["@tensorflow/*", "@jax-js/*"],
      logLevel: "error",
    });
    await fs.cp(path.join(folder, "bundle"), path.join(folder, "elsewhere"), { recursive: true });
    await fs.rename(path.join(folder, "node_modules"), path.join(folder, "hidden"));
    try {
      const code = `await import("./elsewhere/main.mjs");`;
      expect(await evaluate(folder, code)).toEqual({ loss: 1, same: true });
    } finally {
      await fs.rename(path.join(folder, "hidden"), path.join(folder, "node_modules"));
    }
  });
});
