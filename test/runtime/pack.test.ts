import fs from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import type { BuildOptions, Metafile } from "esbuild";
import { afterAll, describe, expect } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { run } from "../support/child.js";
import { files, root } from "../support/dist.js";
import { evaluate, installPacked } from "../support/installed.js";
import type { Installed } from "../support/installed.js";
import { itRequires } from "../support/require.js";

const specifiers = Object.keys(packageJson.exports)
  .filter((subpath) => subpath !== "./package.json")
  .map((subpath) => path.posix.join(packageJson.name, subpath));

/** All but the engines that need something of their own, which the user's project does not have. */
const importable = specifiers.filter((specifier) => !/\/backend\/(jax|tensorflow|torch)$/.test(specifier));

let installing: Promise<Installed> | undefined;
const installed = (): Promise<Installed> => (installing ??= installPacked());

afterAll(async () => {
  if (installing) await fs.rm((await installing).project, { recursive: true, force: true });
});

describe("the packed package", () => {
  itRequires("dist", "holds dist/, its papers and nothing else", async () => {
    const { packed } = await installed();
    const native = files("native/torch/src");
    expect(packed.filter((file) => !file.startsWith("dist/")).sort()).toEqual(
      ["LICENSE", "README.md", ...native, "package.json"].sort(),
    );
    expect(packed.filter((file) => file.startsWith("dist/")).sort()).toEqual(files("dist").sort());
    expect(packed.filter((file) => /\.test\.|\.map$/.test(file))).toEqual([]);
  });

  itRequires("dist", "offers in plain Node what the sources export, under the same names", async () => {
    const code = `
      const names = {};
      // Functions that share a name in one file get numbers; classes keep theirs, which messages and saved files show.
      const nameOf = (value) =>
        typeof value !== "function" ? "" : /^class/.test(value) ? value.name : value.name.replace(/\\$\\d+$/, "");
      for (const specifier of ${JSON.stringify(importable)}) {
        const entries = Object.entries(await import(specifier));
        names[specifier] = entries.map(([key, value]) => [key, typeof value, nameOf(value)]).sort();
      }
      console.log(JSON.stringify(names));`;
    const { project } = await installed();
    const built = await evaluate<Record<string, unknown[]>>(project, code);
    const source = await evaluate<Record<string, unknown[]>>(root, code, ["--import", "tsx", "--conditions=source"]);
    expect(built).toEqual(source);
    for (const specifier of importable) expect(built[specifier], specifier).not.toEqual([]);
  });

  itRequires(
    "dist",
    "has every class and op once, in the root's namespaces and in the modules of their own",
    async () => {
      const code = `
      import * as keras from "keras-ts";
      const different = [];
      for (const [name, namespace] of Object.entries(keras)) {
        if (!${JSON.stringify(specifiers)}.includes("keras-ts/" + name)) continue;
        const module = await import("keras-ts/" + name);
        if (Object.keys(module).join() !== Object.keys(namespace).join()) different.push(name);
        for (const key of Object.keys(module)) if (module[key] !== namespace[key]) different.push(name + "." + key);
      }
      console.log(JSON.stringify(different));`;
      expect(await evaluate((await installed()).project, code)).toEqual([]);
    },
  );

  itRequires("dist", "computes in a program that imports a single part", async () => {
    const { project } = await installed();
    const code = `
      import { add } from "keras-ts/ops";
      console.log(JSON.stringify(Array.from((await add([1, 2], 3).add(10).data()).data)));`;
    expect(await evaluate(project, code)).toEqual([14, 15]);
  });

  for (const [module, moduleResolution] of [
    ["NodeNext", "NodeNext"],
    ["ESNext", "Bundler"],
  ] as const) {
    itRequires("dist", `type-checks in a strict project with moduleResolution ${moduleResolution}`, async () => {
      const { project } = await installed();
      const folder = path.join(project, moduleResolution);
      await fs.mkdir(folder, { recursive: true });
      const imports = importable.map((specifier, index) => `import * as m${index} from "${specifier}";`);
      const uses = `export const all: object[] = [${importable.map((_, index) => `m${index}`).join(", ")}];`;
      const wrong = `// @ts-expect-error: a module without types would accept any name.\nm0.noSuchExport;`;
      await fs.writeFile(path.join(folder, "main.ts"), [...imports, uses, wrong].join("\n"));
      const compilerOptions = {
        ...{ module, moduleResolution, target: "ES2022", lib: ["ES2022", "DOM", "DOM.Iterable"] },
        ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] },
      };
      await fs.writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
      const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
      await run(process.execPath, [tsc, "-p", folder]);
    });
  }

  itRequires(
    "dist",
    "has a command that builds the torch engine's addon, and says so where that is missing",
    async () => {
      const { project } = await installed();
      const command = path.join(project, "node_modules/.bin/keras-ts");
      expect(await run(command, ["--help"], { cwd: project })).toContain("install-torch");
      const nothing = { LIBTORCH: path.join(project, "nothing"), KERAS_TORCH_CACHE: path.join(project, "cache") };
      await expect(run(command, ["install-torch"], { cwd: project, env: nothing })).rejects.toThrow(
        "pip install torch",
      );
      const code = `await import("keras-ts/backend/torch")`;
      const flags = ["--input-type=module", "-e", code];
      const env = { ...nothing, KERAS_TORCH_ADDON: undefined };
      await expect(run(process.execPath, flags, { cwd: project, env })).rejects.toThrow("npx keras-ts install-torch");
    },
  );

  itRequires(["dist", "libtorch"], "trains on libtorch with the addon that was built for its sources", async () => {
    const code = `
      process.env.KERAS_BACKEND = "torch";
      const keras = await import("keras-ts");
      const model = new keras.Sequential([keras.Input({ shape: [1] }), new keras.layers.Dense(1)]);
      model.compile({ optimizer: "sgd", loss: "mean_squared_error" });
      const { history } = await model.fit([[1], [2]], [[1], [2]], { epochs: 30, verbose: 0 });
      console.log(JSON.stringify([keras.backend.backend(), history.loss.at(-1) < history.loss[0]]));`;
    expect(await evaluate((await installed()).project, code)).toEqual(["torch", true]);
  });

  itRequires("dist", "lets a bundler leave out what a program does not use", async () => {
    const { project } = await installed();
    const whole = await bundle(project, `import * as keras from "keras-ts"; globalThis.keras = keras;`);
    const part = await bundle(project, `import { Dense } from "keras-ts/layers"; globalThis.Dense = Dense;`);
    const op = await bundle(project, `import { add } from "keras-ts/ops"; globalThis.add = add;`);
    expect(part.library).toBeLessThan(whole.library / 3);
    expect(op.library).toBeLessThan(part.library / 1.5);
  });

  itRequires("dist", "binds one engine by bundler condition, and none of the choosing", async () => {
    const { project } = await installed();
    const code = `import * as keras from "keras-ts"; globalThis.keras = keras;`;
    const { inputs } = await bundle(project, code, { conditions: ["keras-numpy"] });
    // Engines that need something of their own stay within reach of `setBackend`, which loads them when it is called.
    const engines = inputs.filter(
      (file) => file.includes("keras-ts/dist/backend/") && !/\/(jax|tensorflow|torch)\.js$/.test(file),
    );
    expect(engines).toEqual([expect.stringMatching(/keras-ts\/dist\/backend\/numpy\.js$/)]);
  });
});

async function bundle(
  project: string,
  contents: string,
  options: BuildOptions = {},
): Promise<{ library: number; inputs: string[] }> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    external: ["node:*"],
    packages: "bundle",
    metafile: true,
    logLevel: "error",
    ...options,
  });
  const [output] = Object.values((metafile as Metafile).outputs);
  // Engines are in all bundles.
  const written = Object.entries(output?.inputs ?? {});
  const library = written.find(([file]) => file.endsWith("dist/keras.js"))?.[1].bytesInOutput ?? 0;
  // Files that only name what others hold are among them, with no bytes of their own.
  return { library, inputs: Object.keys((metafile as Metafile).inputs) };
}
