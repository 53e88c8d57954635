import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as settings from "../core/settings.js";
import { chooseBackend } from "./choose.js";
import { readOrCreateKerasConfig } from "./keras-config.node.js";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "keras-home-"));
});
afterEach(async () => {
  settings.setFloatx("float32");
  settings.setEpsilon(1e-7);
  settings.setImageDataFormat("channels_last");
  await rm(home, { recursive: true });
});

const node = (env: Record<string, string> = {}): NonNullable<Parameters<typeof chooseBackend>[0]> => ({
  process: { env: { KERAS_HOME: home, ...env }, versions: { node: "20.0.0" } },
});
const write = (config: unknown): Promise<void> =>
  writeFile(path.join(home, "keras.json"), typeof config === "string" ? config : JSON.stringify(config));

it("is numpy by default, and writes keras.json as Python Keras does", async () => {
  expect(await chooseBackend(node())).toEqual({ name: "numpy", from: "the default" });
  expect(await readdir(home)).toEqual(["keras.json"]);
  expect(await readFile(path.join(home, "keras.json"), "utf8")).toBe(
    '{\n    "floatx": "float32",\n    "epsilon": 1e-07,\n    "backend": "numpy",\n    "image_data_format": "channels_last"\n}\n',
  );
  expect(await chooseBackend(node())).toEqual({ name: "numpy", from: path.join(home, "keras.json") });
});

it("takes the name from the global, then the environment, then the file", async () => {
  await write({ backend: "from-file" });
  expect((await chooseBackend(node())).name).toBe("from-file");
  expect(await chooseBackend(node({ KERAS_BACKEND: "from-env" }))).toMatchObject({ name: "from-env" });
  const both = { ...node({ KERAS_BACKEND: "from-env" }), KERAS_BACKEND: "from-global" };
  expect(await chooseBackend(both)).toEqual({ name: "from-global", from: "globalThis.KERAS_BACKEND" });
});

it("uses the built-in engine where the file names one that only Python has, or the one Python writes unasked", async () => {
  for (const backend of ["openvino", "tensorflow"]) {
    await write({ backend });
    expect((await chooseBackend(node())).name).toBe("numpy");
    expect((await chooseBackend(node({ KERAS_BACKEND: backend }))).name).toBe(backend);
  }
});

it("sets what else the file says", async () => {
  await write({ floatx: "float16", epsilon: 1e-4, image_data_format: "channels_first" });
  await chooseBackend(node());
  expect([settings.floatx(), settings.epsilon(), settings.imageDataFormat()]).toEqual([
    "float16",
    1e-4,
    "channels_first",
  ]);
});

it("leaves a file alone that it cannot read", async () => {
  await write("{ not json");
  expect((await chooseBackend(node())).name).toBe("numpy");
  expect(await readFile(path.join(home, "keras.json"), "utf8")).toBe("{ not json");
});

it("reads no file outside Node", async () => {
  const choice = await chooseBackend({ KERAS_BACKEND: "numpy" }, () => Promise.reject(new Error("read")));
  expect(choice.name).toBe("numpy");
});

it("makes the directory, once for many processes, and does without where it may not", async () => {
  const deep = path.join(home, "a", "b");
  await Promise.all(Array.from({ length: 8 }, () => readOrCreateKerasConfig({ KERAS_HOME: deep })));
  expect(await readdir(deep)).toEqual(["keras.json"]);
  await write("occupied");
  const under = path.join(home, "keras.json", "below");
  await expect(readOrCreateKerasConfig({ KERAS_HOME: under })).resolves.toEqual({
    path: path.join(under, "keras.json"),
  });
});
