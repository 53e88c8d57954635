import "../backend/index.js";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { configureCustom } from "../config/configure.js";
import { int } from "../config/fields.js";
import { customObjectScope, registerKerasSerializable } from "../config/registry.js";
import { clearSession } from "../core/settings.js";
import { type Tensor, tensor } from "../core/tensor.js";
import { openZip } from "../formats/zip/index.js";
import { parsePythonJson } from "../formats/python-json.js";
import { Dense } from "../layers/core/dense.js";
import { Input } from "../layers/core/input-layer.js";
import { Layer } from "../layers/layer.js";
import { Model, Sequential } from "../models/index.js";
import { add, multiply } from "../ops/arithmetic.js";
import { SGD } from "../optimizers/index.js";
import { loadModel, loadWeights, saveModel, saveWeights } from "./index.js";
import "./model-methods.js";

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-saving-"));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
beforeEach(clearSession);

const x = tensor([
  [1, 2, 3],
  [-1, 0.5, 2],
]);
const outputOf = async (model: Model): Promise<unknown> => ((await model(x)) as Tensor).array();
const stack = (): Sequential => new Sequential([Input([3]), new Dense(4, { activation: "relu" }), new Dense(2)]);
function graph(): Model {
  const inputs = Input([3], { name: "features" });
  const hidden = new Dense(3)(inputs);
  return new Model({ inputs, outputs: new Dense(2)(add(multiply(hidden, 2), inputs)) });
}

describe("a saved model", () => {
  it.each([
    ["stack", stack],
    ["graph with ops", graph],
  ])("is the same after loading: %s", async (_kind, make) => {
    const model = make();
    const file = path.join(folder, "model.keras");
    await model.save(file);
    const loaded = await loadModel(file);
    expect(loaded).toBeInstanceOf(model.constructor);
    expect(loaded.name).toBe(model.name);
    expect(await outputOf(loaded)).toEqual(await outputOf(model));
    expect(loaded.toJson()).toBe(model.toJson());
    expect(await outputOf(await loadModel(pathToFileURL(file)))).toEqual(await outputOf(model));
  });
  it("is bytes without a path, and loads from bytes and blobs", async () => {
    const model = stack();
    const bytes = await model.save();
    expect(bytes).toBeInstanceOf(Uint8Array);
    for (const source of [bytes, bytes.buffer, new Blob([bytes])])
      expect(await outputOf(await loadModel(source))).toEqual(await outputOf(model));
    const url = URL.createObjectURL(new Blob([bytes]));
    expect(await outputOf(await loadModel(url))).toEqual(await outputOf(model));
    URL.revokeObjectURL(url);
  });
  it("may be a directory", async () => {
    const model = stack();
    const place = path.join(folder, "unzipped");
    await model.save(place, { zipped: false });
    expect(await fs.readdir(place)).toEqual(["config.json", "metadata.json", "model.weights.h5"]);
    expect(await outputOf(await loadModel(place))).toEqual(await outputOf(model));
  });
  it("holds what Python Keras expects, in its order", async () => {
    vi.useFakeTimers({ now: new Date(2025, 0, 2, 3, 4, 5), toFake: ["Date"] });
    const bytes = await stack().save();
    vi.useRealTimers();
    const zip = openZip(bytes);
    expect(zip.names).toEqual(["metadata.json", "config.json", "model.weights.h5"]);
    expect([...zip.entries.values()].every(({ method }) => method === "stored")).toBe(true);
    const text = async (name: string): Promise<string> => new TextDecoder().decode(await zip.read(name));
    expect(await text("metadata.json")).toBe('{"keras_version": "3.16.0", "date_saved": "2025-01-02@03:04:05"}');
    expect(Object.keys(parsePythonJson(await text("config.json")) as object)).toEqual([
      "module",
      "class_name",
      "config",
      "registered_name",
      "build_config",
      "compile_config",
    ]);
  });
  it("keeps objects shared that were shared", async () => {
    const inner = new Dense(3);
    class Twice extends Layer {
      readonly layer: Layer;
      constructor({ layer }: { layer: Layer }) {
        super();
        this.layer = layer;
      }
      override call(inputs: Tensor): Tensor {
        return this.layer(inputs);
      }
      override getConfig() {
        return { layer: this.layer };
      }
      static override fromConfig<T>(this: new (...args: never[]) => T, config: Record<string, unknown>): T {
        const layer = config["layer"] as Record<string, unknown>;
        return new this({ layer: Dense.fromConfig(layer["config"] as Record<string, unknown>) } as never);
      }
    }
    const model = new Sequential([Input([3]), new Twice({ layer: inner })]);
    const loaded = await loadModel(await model.save(), { customObjects: { Twice } });
    expect(await outputOf(loaded)).toEqual(await outputOf(model));
  });
  it("is not replaced without asking when overwriting is off", async () => {
    const file = path.join(folder, "kept.keras");
    await fs.writeFile(file, "kept");
    if (!process.stdin.isTTY) await expect(stack().save(file, { overwrite: false })).rejects.toThrow("already exists");
    expect(await fs.readFile(file, "utf8")).toBe("kept");
  });
  it("needs a path of its kind", async () => {
    await expect(stack().save("model.h5")).rejects.toThrow('Use a path that ends in ".keras". Received: "model.h5"');
    await expect(stack().save("model")).rejects.toThrow('must end in ".keras". Received: "model"');
    await expect(stack().save("a.keras", { zip: true } as never)).rejects.toThrow("has no option `zip`");
    await expect(saveModel(new Dense(1) as never)).rejects.toThrow(
      "saveModel saves models. Received: an instance of Dense",
    );
  });
});

describe("a compiled model", () => {
  it("comes back compiled, with the state of its optimizer, and trains on alike", async () => {
    const model = stack();
    const optimizer = new SGD({ learningRate: 0.25, momentum: 0.5, nesterov: true });
    model.compile({ optimizer, loss: "mean_squared_error", metrics: ["accuracy"] });
    const y = [
      [0, 1],
      [1, 0],
    ];
    await model.fit(await x.data(), y, { epochs: 2, verbose: 0, shuffle: false });
    const loaded = await loadModel(await model.save());
    expect(loaded.optimizer).toBeInstanceOf(SGD);
    expect(loaded.optimizer!.getConfig()).toEqual(optimizer.getConfig());
    const state = (one: Model): Promise<unknown[]> =>
      Promise.all(one.optimizer!.variables.map(async (variable) => (await variable.numpy()).toArray()));
    expect(await state(loaded)).toEqual(await state(model));
    for (const one of [model, loaded]) await one.fit(await x.data(), y, { epochs: 2, verbose: 0, shuffle: false });
    expect(await outputOf(loaded)).toEqual(await outputOf(model));
    expect(await state(loaded)).toEqual(await state(model));
  });
  it("comes back uncompiled on demand", async () => {
    const model = stack();
    model.compile({ loss: "mse" });
    const loaded = await loadModel(await model.save(), { compile: false });
    expect(loaded.compiled).toBe(false);
    expect(loaded.optimizer).toBeNull();
  });
});

describe("classes of users", () => {
  const fields = { factor: int() };
  class Scale extends configureCustom(Layer, "Scale", fields) {
    constructor(factor: number, options: object = {}) {
      super({ factor, ...options });
    }
    override call(inputs: Tensor): Tensor {
      return multiply(inputs, this.factor);
    }
  }
  const make = (): Model => new Sequential([Input([3]), new Scale(3), new Dense(1)]);

  it("load when passed, when in scope and when registered", async () => {
    const model = make();
    const bytes = await model.save();
    expect(await outputOf(await loadModel(bytes, { customObjects: { Scale } }))).toEqual(await outputOf(model));
    const inScope = customObjectScope({ Scale }, () => loadModel(bytes));
    expect(await outputOf(await inScope)).toEqual(await outputOf(model));
    await expect(loadModel(bytes)).rejects.toThrow(
      /There is no class `Scale`\. Register custom classes and functions with `registerKerasSerializable`, or pass them as `customObjects`/,
    );
    registerKerasSerializable({ package: "test" })(Scale);
    const saved = await make().save();
    expect(await outputOf(await loadModel(saved))).toBeDefined();
    expect(new TextDecoder().decode(await openZip(saved).read("config.json"))).toContain('"test>Scale"');
  });
  it("may be models", async () => {
    class Net extends Model {
      readonly first = new Dense(4, { activation: "relu" });
      readonly second = new Dense(2);
      override call(inputs: Tensor): Tensor {
        return this.second(this.first(inputs));
      }
    }
    const model = new Net();
    model(x);
    const loaded = await loadModel(await model.save(), { customObjects: { Net } });
    expect(loaded).toBeInstanceOf(Net);
    expect(await outputOf(loaded)).toEqual(await outputOf(model));
  });
});

describe("weights alone", () => {
  it("go from a file to a model alike", async () => {
    const [from, to] = [stack(), stack()];
    const file = path.join(folder, "model.weights.h5");
    await from.saveWeights(file);
    await to.loadWeights(file);
    expect(await outputOf(to)).toEqual(await outputOf(from));
    const third = stack();
    await loadWeights(third, await saveWeights(from));
    expect(await outputOf(third)).toEqual(await outputOf(from));
  });
  it("come out of whole models too", async () => {
    const [from, to] = [stack(), stack()];
    await to.loadWeights(await from.save());
    expect(await outputOf(to)).toEqual(await outputOf(from));
  });
  it("can leave out layers", async () => {
    const [from, to] = [stack(), stack()];
    const kept = await to.layers[1]!.getWeights();
    await to.loadWeights(await from.saveWeights(), { objectsToSkip: [to.layers[1]!] });
    expect(await to.layers[1]!.getWeights()).toEqual(kept);
    expect(await to.layers[0]!.getWeights()).toEqual(await from.layers[0]!.getWeights());
  });
  it("can be those of a model that differs in places", async () => {
    const from = stack();
    const to = new Sequential([Input([3]), new Dense(4), new Dense(5)]);
    const warnings: string[] = [];
    const spy = vi.spyOn(process, "emitWarning").mockImplementation((text) => void warnings.push(String(text)));
    await to.loadWeights(await from.saveWeights(), { skipMismatch: true });
    spy.mockRestore();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("layers/dense_1");
    expect(await to.layers[0]!.getWeights()).toEqual(await from.layers[0]!.getWeights());
  });
  it("need a built model and a path of their kind", async () => {
    const unbuilt = new Sequential([new Dense(2)]);
    await expect(unbuilt.saveWeights("x.weights.h5")).rejects.toThrow("is not built yet");
    await expect(unbuilt.loadWeights("x.weights.h5")).rejects.toThrow("is not built yet");
    await expect(stack().saveWeights("x.h5")).rejects.toThrow('must end in ".weights.h5". Received: "x.h5"');
    await expect(stack().loadWeights(path.join(folder, "none.weights.h5"))).rejects.toThrow("There is no file");
  });
});
