import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type * as keras from "../../src/index.js";

type Keras = typeof keras;

/** The package as a process sees it that chose `backend`. */
async function kerasOn(backend: string): Promise<Keras> {
  vi.resetModules();
  vi.stubEnv("KERAS_BACKEND", backend);
  const loaded = await import("../../src/index.js");
  expect(loaded.backend.backend()).toBe(backend);
  return loaded;
}

const BATCH = 16;
function batch({ NDArray }: Keras): [x: keras.NDArray, y: keras.NDArray] {
  const pixels = Float32Array.from({ length: BATCH * 144 }, (_, i) => ((i * 7919) % 1009) / 1009);
  const labels = Int32Array.from({ length: BATCH }, (_, i) => i % 4);
  return [new NDArray(pixels, [BATCH, 12, 12, 1], "float32"), new NDArray(labels, [BATCH], "int32")];
}
function network({ Input, layers, Sequential, utils }: Keras): keras.Sequential {
  utils.setRandomSeed(3);
  const model = new Sequential([
    Input([12, 12, 1]),
    new layers.Conv2D(4, 3, { activation: "relu" }),
    new layers.MaxPooling2D(2),
    new layers.Conv2D(6, 3, { activation: "relu" }),
    new layers.Dropout(0.2),
    new layers.GlobalAveragePooling2D(),
    new layers.Dense(4, { activation: "softmax" }),
  ]);
  model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy", metrics: ["accuracy"] });
  return model;
}
async function losses(loaded: Keras, steps: number, model = network(loaded)): Promise<number[]> {
  const [x, y] = batch(loaded);
  const seen: number[] = [];
  for (let i = 0; i < steps; i++) {
    const { loss } = (await model.trainOnBatch(x, y, { returnDict: true })) as Record<string, number>;
    seen.push(Number(loss));
  }
  return seen;
}

describe("training on TensorFlow.js", () => {
  let wanted: number[] = [];
  beforeAll(async () => {
    wanted = await losses(await kerasOn("numpy"), 20);
  });

  it("has the losses of the built-in engine, dropout included, and learns", async () => {
    const seen = await losses(await kerasOn("tensorflow"), 20);
    seen.forEach((loss, i) => expect(loss).toBeCloseTo(wanted[i]!, 4));
    expect(seen.at(-1)).toBeLessThan(seen[0]!);
  });

  it("leaves no tensors behind over a thousand steps", async () => {
    const loaded = await kerasOn("tensorflow");
    const model = network(loaded);
    await losses(loaded, 5, model);
    const { tfjsHeap } = await import("../../src/backend/tensorflow/heap.js");
    const heap = tfjsHeap()!;
    const { numTensors, numBytes } = tf.memory();
    const { allocations, bytesInUse } = heap;
    expect(allocations).toBeGreaterThan(0);
    await losses(loaded, 1000, model);
    expect(tf.memory()).toMatchObject({ numTensors, numBytes });
    expect(heap).toMatchObject({ allocations, bytesInUse });
  }, 120_000);
});
