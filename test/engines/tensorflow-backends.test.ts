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
    {
      cwd: root,
      env: { ...process.env, KERAS_BACKEND: "tensorflow", ...env },
      encoding: "utf8",
      timeout: 100_000,
      stdio: "pipe",
    },
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

it("computes the same with threads, and ends by itself", () => {
  // Convolutions padded, strided, dilated, of one and two axes, large enough for threads; gradients in both operands.
  const code = `
    const { Input, layers, Sequential } = keras;
    keras.utils.setRandomSeed(1);
    const model = new Sequential([
      Input([40, 36, 3]),
      new layers.Conv2D(24, [3, 5], { padding: "same", activation: "relu" }),
      new layers.Conv2D(24, 3, { strides: 2, activation: "relu" }),
      new layers.Conv2D(32, 3, { dilationRate: 2, padding: "same" }),
      new layers.Reshape([-1, 32]),
      new layers.Conv1D(32, 5, { padding: "causal" }),
      new layers.GlobalAveragePooling1D(),
      new layers.Dense(2),
    ]);
    model.compile({ optimizer: "sgd", loss: "mse" });
    const x = Float32Array.from({ length: 16 * 40 * 36 * 3 }, (_, i) => Math.sin(i));
    const y = Float32Array.from({ length: 32 }, (_, i) => Math.cos(i));
    const { history } = await model.fit({ data: x, shape: [16, 40, 36, 3] }, { data: y, shape: [16, 2] }, { epochs: 4, verbose: 0 });
    console.log(JSON.stringify(history.loss));`;
  const [alone, shared] = ["1", "3"].map((threads) => printed(code, { KERAS_TFJS_THREADS: threads }) as number[]);
  expect(alone).toHaveLength(4);
  expect(alone!.at(-1)).toBeLessThan(alone![0]!);
  shared!.forEach((loss, i) => expect(loss).toBeCloseTo(alone![i]!, 5));
  expect(() => printed(names, { KERAS_TFJS_THREADS: "99" })).toThrow(/whole number from 1 to 8/);
}, 180_000);
