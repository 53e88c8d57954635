import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** What a program prints that runs on TensorFlow.js in a process of its own. */
function printed(code: string, env: Readonly<Record<string, string>> = {}): unknown {
  const module = `import * as keras from "${root}/src/index.ts";
    import { setTfjsBackend, tfjsBackend, toTfjs } from "${root}/src/backend/tensorflow/index.ts";
    ${code}`;
  const output = execFileSync(
    process.execPath,
    ["--conditions=source", "--import", "tsx", "--input-type=module", "-e", module],
    { cwd: root, env: { ...process.env, KERAS_BACKEND: "tensorflow", ...env }, encoding: "utf8" },
  );
  return JSON.parse(output.trim().split("\n").at(-1)!);
}
const names = `
  const names = (...tried) => tried.filter((name) => { try { keras.device(name); return true; } catch { return false; } });
  console.log(JSON.stringify([tfjsBackend(), names("cpu", "cpu:0", "wasm", "gpu"), await keras.ops.sum([1, 2, 3]).item()]));`;

it("computes on WebAssembly unless told otherwise", () => {
  expect(printed(names)).toEqual(["wasm", ["cpu", "cpu:0", "wasm"], 6]);
}, 60_000);

it("takes another backend from the environment, or from the program before it makes tensors", () => {
  expect(printed(names, { KERAS_TFJS_BACKEND: "cpu" })).toEqual(["cpu", ["cpu", "cpu:0"], 6]);
  expect(printed(`await setTfjsBackend("cpu"); ${names}`)).toEqual(["cpu", ["cpu", "cpu:0"], 6]);
  const late = `keras.tensor([1]);
    const said = await setTfjsBackend("cpu").catch(({ message }) => message);
    console.log(JSON.stringify([tfjsBackend(), said]));`;
  expect(printed(late)).toEqual(["wasm", expect.stringMatching(/before the first tensor/)]);
}, 120_000);
