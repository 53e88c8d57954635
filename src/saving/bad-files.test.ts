import "../backend/index.js";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NDArray } from "../core/ndarray.js";
import { FormatError } from "../formats/format-error.js";
import { H5GroupNode, writeHdf5 } from "../formats/hdf5/index.js";
import { openZip, writeZip } from "../formats/zip/index.js";
import { Dense } from "../layers/core/dense.js";
import { Input } from "../layers/core/input-layer.js";
import { Sequential } from "../models/index.js";
import { concatenate } from "./archive.js";
import { loadModel } from "./index.js";
import "./model-methods.js";

type Edit = (members: Map<string, Uint8Array>) => void;

let folder: string;
let good: Uint8Array;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-bad-"));
  const model = new Sequential([Input([3]), new Dense(4, { name: "hidden" }), new Dense(2)]);
  model.compile({ optimizer: "adam", loss: "mean_squared_error" });
  good = await model.save();
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

/** The good file with its members changed. */
async function changed(edit: Edit): Promise<Uint8Array> {
  const zip = openZip(good);
  const members = new Map<string, Uint8Array>();
  for (const name of zip.names) members.set(name, await zip.read(name));
  edit(members);
  return concatenate(writeZip(Array.from(members, ([name, data]) => ({ name, data }))));
}
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A config as tests change it. */
interface Editable {
  class_name: string;
  config: Record<string, unknown> & { layers: Editable[] };
  [key: string]: unknown;
}

/** The good file with its config changed, as text or as JSON. */
const withConfig = (edit: (config: Editable, text: string) => unknown, version = "3.15.1"): Promise<Uint8Array> =>
  changed((members) => {
    const text = new TextDecoder().decode(members.get("config.json"));
    const config = JSON.parse(text) as Editable;
    const result = edit(config, text);
    members.set("config.json", encode(typeof result === "string" ? result : JSON.stringify(config)));
    members.set("metadata.json", encode(JSON.stringify({ keras_version: version, date_saved: "" })));
  });

describe("loading tells what is wrong with", () => {
  it("a file that is not there, a directory that is none of a model, and other formats", async () => {
    const none = path.join(folder, "none.keras");
    await expect(loadModel(none)).rejects.toThrow(`There is no file "${none}". Expected a model saved as ".keras".`);
    await expect(loadModel(folder)).rejects.toThrow("is no saved model: it has no config.json. It holds: nothing");
    const h5 = concatenate(writeHdf5(new H5GroupNode()));
    await expect(loadModel(h5)).rejects.toThrow("is an HDF5 file. Weights alone are loaded by `model.loadWeights`");
    await expect(loadModel(encode("hello"))).rejects.toThrow("is not a zip archive");
    await expect(loadModel(new Uint8Array())).rejects.toThrow("is empty");
    const other = concatenate(writeZip([{ name: "readme.txt", data: encode("hi") }]));
    await expect(loadModel(other)).rejects.toThrow("is no saved model: it has no config.json. It holds: readme.txt");
  });

  it("a file that is cut off anywhere", async () => {
    for (let length = 0; length < good.length; length += 97)
      await expect(loadModel(good.slice(0, length))).rejects.toThrow(FormatError);
    await expect(loadModel(good.slice(0, -1))).rejects.toThrow(FormatError);
  });

  it("bytes that changed anywhere in the members", async () => {
    const file = path.join(folder, "damaged.keras");
    const { entries } = openZip(good);
    for (const { offset, name, size } of entries.values()) {
      // Versions and dates are for messages only.
      if (name === "metadata.json") continue;
      for (const share of [0.1, 0.5, 0.9]) {
        const damaged = good.slice();
        const gap = damaged[offset + 26]! + damaged[offset + 28]! + 256 * damaged[offset + 29]!;
        damaged[offset + 30 + gap + Math.floor(size * share)]! ^= 0x10;
        await fs.writeFile(file, damaged);
        await expect(loadModel(file)).rejects.toThrow(
          `${file}: ${name}: is damaged: its checksum (CRC-32) does not match`,
        );
      }
    }
  });

  it("a config that is no JSON, or of something else than a model", async () => {
    await expect(loadModel(await withConfig(() => '{"class_name": '))).rejects.toThrow(/config\.json: .*line 1/);
    await expect(loadModel(await withConfig(() => "[1]"))).rejects.toThrow("does not describe an object");
    const dense = await withConfig((config) => JSON.stringify(config.config.layers[1]));
    await expect(loadModel(dense)).rejects.toThrow("describes something else than a model");
  });

  it("a class or an argument that a newer version has", async () => {
    const newClass = await withConfig(
      (config) => void (config.config.layers[1]!.class_name = "QuantumDense"),
      "3.99.0",
    );
    await expect(loadModel(newClass)).rejects.toThrow(
      /\(saved by Keras 3\.99\.0\) could not be read\..* There is no class `keras\.layers\.QuantumDense`.*This package follows Keras 3\.16\.0: what the file asks for may be newer/s,
    );
    const newArgument = await withConfig(
      (config) => void (config.config.layers[1]!.config["entangled"] = true),
      "4.0.0",
    );
    await expect(loadModel(newArgument)).rejects.toThrow(
      /Keras 4\.0\.0.*`Dense`.*does not know the key "entangled".*may be newer/s,
    );
    const unknown = await withConfig((config) => void (config.config.layers[1]!.class_name = "Typo"));
    const error = await loadModel(unknown).catch((reason: Error) => reason.message);
    expect(error).toContain("saved by Keras 3.15.1");
    expect(error).not.toContain("may be newer");
  });

  it("weights of another number or shape, naming the layer", async () => {
    const replaced = (name: string, shape: number[], path = "layers/dense/vars"): Promise<Uint8Array> =>
      changed((members) => {
        const root = new H5GroupNode();
        for (const layer of ["layers/dense/vars", "layers/dense_1/vars"]) root.group(layer);
        const fill = (at: string, shapes: number[][]): void =>
          shapes.forEach((dims, i) => root.dataset(`${at}/${i}`, NDArray.zeros(dims)));
        fill(
          "layers/dense/vars",
          path === "layers/dense/vars" ? [[3, 4], [4]].slice(name === "missing" ? 1 : 0) : [[3, 4], [4]],
        );
        fill("layers/dense_1/vars", name === "shape" ? [shape, [2]] : [[4, 2], [2]]);
        members.set("model.weights.h5", concatenate(writeHdf5(root)));
      });
    const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    await expect(loadModel(await replaced("missing", []))).rejects.toThrow(
      /One object could not be loaded from "the given bytes":\n {2}layers\/dense \(Dense "hidden"\): .*expected 2 variables, but received 1/,
    );
    await expect(loadModel(await replaced("shape", [4, 3]))).rejects.toThrow(
      /layers\/dense_1 \(Dense "dense"\): .*\[4,2\].*\[4,3\]/,
    );
    // The optimizer has nothing in these files: it starts anew, as in Python Keras.
    expect(String(warnings.mock.calls[0]?.[0])).toContain('The optimizer "adam" has 10 variables');
    warnings.mockRestore();
  });

  it("weights that are missing or pickled", async () => {
    await expect(loadModel(await changed((members) => void members.delete("model.weights.h5")))).rejects.toThrow(
      "has no model.weights.h5",
    );
    const pickled = changed((members) => {
      members.delete("model.weights.h5");
      members.set("model.weights.npz", encode("PK"));
    });
    await expect(loadModel(await pickled)).rejects.toThrow("pickled Python objects, which are never loaded");
    const broken = changed((members) => void members.set("model.weights.h5", encode("no HDF5")));
    await expect(loadModel(await broken)).rejects.toThrow(FormatError);
  });

  it("names that lead out of a directory or an archive", async () => {
    const bytes = concatenate(writeZip([{ name: "aa/config.json", data: encode("{}") }]));
    const text = Buffer.from(bytes).toString("latin1").replaceAll("aa/config.json", "../config.json");
    await expect(loadModel(new Uint8Array(Buffer.from(text, "latin1")))).rejects.toThrow(
      'leaves the archive through ".."',
    );
  });
});

describe("code in files", () => {
  const lambda = { class_name: "__lambda__", config: { value: ["4wEA", null, null] } };

  it("is refused, with the way out", async () => {
    const bytes = await withConfig((config) => void (config.config.layers[1]!.config["activation"] = lambda));
    await expect(loadModel(bytes)).rejects.toThrow(
      /The layer "hidden" contains a Python lambda: code inside the file, which safe mode refuses to run.*`customObjects`/,
    );
    await expect(loadModel(bytes, { safeMode: false })).rejects.toThrow("cannot run in JavaScript");
  });

  it.each(["constructor", "__proto__", "toString", "Function", "eval"])(
    "is not reached by the name %s",
    async (name) => {
      const asClass = await withConfig((config) => void (config.config.layers[1]!.class_name = name));
      await expect(loadModel(asClass)).rejects.toThrow(/There is no class|Cannot read a saved value of the kind/);
      const asFunction = await withConfig((config) => {
        const fn = { module: "builtins", class_name: "function", config: name, registered_name: "function" };
        config.config.layers[1]!.config["activation"] = fn;
      });
      await expect(loadModel(asFunction)).rejects.toThrow(/There is no (function|activation)/);
      const asActivation = await withConfig((config) => void (config.config.layers[1]!.config["activation"] = name));
      await expect(loadModel(asActivation)).rejects.toThrow("there is no activation");
    },
  );

  it("does not come from keys of objects", async () => {
    const bytes = await withConfig((_config, text) =>
      text.replace('{"module"', '{"__proto__": {"polluted": 1}, "module"'),
    );
    await loadModel(bytes).catch(() => undefined);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("files of other versions load", () => {
  it("with arguments under old names, and without what came later", async () => {
    const bytes = await withConfig((config) => {
      const [input, dense] = config.config.layers as [Editable, Editable];
      input.config["batch_input_shape"] = input.config["batch_shape"];
      for (const key of ["batch_shape", "optional", "ragged"]) delete input.config[key];
      dense.config["dtype"] = "float32";
      for (const key of ["quantization_config", "registered_name"]) delete dense.config[key];
      delete dense["build_config"];
    }, "3.0.0");
    const model = await loadModel(bytes);
    expect(model.layers[0]!.getConfig()["units"]).toBe(4);
  });
  it("when layers are kept under their old name", async () => {
    const bytes = await changed((members) => {
      const root = new H5GroupNode();
      const at = "_layer_checkpoint_dependencies";
      root.dataset(`${at}/dense/vars/0`, new NDArray(new Float32Array(12).fill(7), [3, 4], "float32"));
      root.dataset(`${at}/dense/vars/1`, NDArray.zeros([4]));
      root.dataset(`${at}/dense_1/vars/0`, NDArray.zeros([4, 2]));
      root.dataset(`${at}/dense_1/vars/1`, NDArray.zeros([2]));
      members.set("model.weights.h5", concatenate(writeHdf5(root)));
    });
    const model = await loadModel(bytes, { compile: false });
    expect((await model.layers[0]!.getWeights())[0]!.at(0, 0)).toBe(7);
  });
  it("without metadata", async () => {
    const bytes = await changed((members) => void members.delete("metadata.json"));
    expect(await loadModel(bytes)).toBeInstanceOf(Sequential);
  });
});
