import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import type * as JaxJs from "@jax-js/jax";
import type * as Interop from "../../src/backend/jax/index.js";
import type * as Keras from "../../src/index.js";
import { kerasOn } from "../support/keras-on.js";

let keras: typeof Keras;
let jax: typeof JaxJs;
let interop: typeof Interop;
beforeAll(async () => {
  keras = await kerasOn("jax");
  interop = await import("../../src/backend/jax/index.js");
  jax = await import("@jax-js/jax");
});

const values = (): JaxJs.Array => jax.numpy.array(Float32Array.of(1, 2, 3, 4), { shape: [2, 2] });

describe("arrays of jax-js on the jax engine", () => {
  it("become tensors and come back as the same array, each with a reference of its own", () => {
    const x = values();
    const tensor = interop.fromJax(x);
    expect(x.refCount).toBe(2);
    expect([tensor.shape, tensor.dtype]).toEqual([[2, 2], "float32"]);
    const back = interop.toJax(tensor);
    expect(back).toBe(x);
    expect(x.refCount).toBe(3);
    tensor.dispose();
    back.dispose();
    expect(x.refCount).toBe(1);
    expect(x.js()).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
  it("are operands of ops, inputs of layers and values of variables, and stay their owner's", async () => {
    const x = values();
    const before = x.refCount;
    expect(await keras.ops.add(x, [1, 1]).array()).toEqual([
      [2, 3],
      [4, 5],
    ]);
    const dense = new keras.layers.Dense(2, { kernelInitializer: "identity" });
    expect(await (dense(x) as Keras.Tensor).array()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const variable = new keras.Variable(values());
    variable.assign(x);
    const shared = interop.toJax(variable);
    expect(shared).toBe(x);
    shared.dispose();
    expect(x.refCount).toBeGreaterThanOrEqual(before);
  });
  it("are data for predict and fit", async () => {
    const model = new keras.Sequential([keras.Input([2]), new keras.layers.Dense(1, { kernelInitializer: "ones" })]);
    const x = values();
    expect((await model.predict(x, { verbose: 0 })) as Keras.NDArray).toMatchObject({ shape: [2, 1] });
    model.compile({ optimizer: "sgd", loss: "mse" });
    const y = jax.numpy.array(Float32Array.of(3, 7), { shape: [2, 1] });
    const { history } = await model.fit(x, y, { verbose: 0 });
    expect(history["loss"]![0]).toBeCloseTo(0, 6);
    expect([x.refCount, y.refCount]).toEqual([1, 1]);
  });
  it("results of ops go on in jax-js", () => {
    const y = keras.ops.matmul(values(), values());
    const total = jax.numpy.sum(interop.toJax(y));
    expect(total.js()).toBe(54);
  });
  it("are copied where the engine has no such array, and refused where a copy was ruled out", async () => {
    const doubles = jax.numpy.ones([2], { dtype: "float64" as never });
    expect(() => interop.fromJax(doubles)).toThrow(/float32/);
    expect(await keras.ops.convertToTensor(doubles).array()).toEqual([1, 1]);
    const half = keras.ops.cast([1, 2], "float16");
    expect(() => interop.toJax(half)).toThrow(TypeError);
  });
});

describe("the device", () => {
  it("is named by device(), which refuses another", () => {
    for (const name of ["cpu", "wasm:0"]) keras.backend.device(name);
    expect(() => keras.backend.device("gpu")).toThrow(/"cpu" or "cpu:0", "wasm" or "wasm:0"/);
  });
  it("is one that jax-js has, else the engine says which there are", async () => {
    const program = 'await import("./src/backend/jax/library.ts")';
    const run = (device: string): string =>
      spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
        env: { ...process.env, KERAS_JAX_DEVICE: device },
        encoding: "utf8",
      }).stderr;
    expect(run("tpu")).toContain(
      'Unknown device of jax-js: "tpu" (from KERAS_JAX_DEVICE). Expected one of: wasm, webgpu.',
    );
    expect(run("wasm")).toBe("");
  });
});
