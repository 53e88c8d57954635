import * as keras from "keras-ts";
import { layers, models, random } from "keras-ts";
import type { ScenarioResult } from "./results.js";

/** What the page knows of the library below the engine. */
export interface Surroundings {
  readonly progress?: (text: string) => void;
  /** How many tensors the engine's library holds now, where it tells. */
  readonly held?: () => number;
  /** Steps of training between the two looks at memory. */
  readonly steps?: number;
}
interface MemoryMeasuring {
  measureUserAgentSpecificMemory?(): Promise<{ readonly bytes: number }>;
}

/**
 * A user's program: draws numbers, trains a small convolutional network, saves it and loads it again. It runs in Node and in pages, built by
 * whatever bundler or none, and gives numbers to compare.
 */
export async function scenario({
  progress = () => undefined,
  held,
  steps = 40,
}: Surroundings = {}): Promise<ScenarioResult> {
  progress("drawing");
  const values = async (tensor: keras.Tensor): Promise<number[]> => [...(await tensor.data()).numbers()];
  const draws = {
    uniform: await values(random.uniform([5], { seed: 1337 })),
    randint: await values(random.randint([5], 0, 1_000_000, { seed: 7 })),
    normal: await values(random.normal([5], { seed: 11 })),
  };

  progress("training");
  keras.utils.setRandomSeed(1);
  const count = 96;
  const size = 8;
  const images = new keras.NDArray(
    Float32Array.from({ length: count * size * size }, (_, i) => Math.abs((Math.imul(i, 2654435761) % 1000) / 1000)),
    [count, size, size, 1],
    "float32",
  );
  const labels = Array.from({ length: count }, (_, i) => (images.data[i * size * size]! > 0.5 ? 1 : 0));
  const model = new keras.Sequential([
    keras.Input({ shape: [size, size, 1] }),
    new layers.Conv2D(4, 3, { activation: "relu" }),
    new layers.MaxPooling2D(),
    new layers.Flatten(),
    new layers.Dropout(0.25),
    new layers.Dense(2, { activation: "softmax" }),
  ]);
  model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy", metrics: ["accuracy"] });
  const { history } = await model.fit(images, labels, { epochs: 3, batchSize: 32, verbose: 0 });
  const predictions = [...(await model.predict(images, { verbose: 0 })).numbers()];

  progress("saving");
  const file = new Blob([await models.saveModel(model)]);
  const address = URL.createObjectURL(file);
  const loaded = await models.loadModel(address);
  URL.revokeObjectURL(address);
  const reloaded = [...(await (loaded as keras.Model).predict(images, { verbose: 0 })).numbers()];

  progress("measuring memory");
  const train = async (count: number): Promise<void> => {
    for (let step = 0; step < count; step++) {
      await model.trainOnBatch(images, labels);
      await model.predict(images, { verbose: 0 });
    }
  };
  const host = globalThis as { readonly performance: MemoryMeasuring };
  const measure = async (): Promise<number | null> =>
    (await host.performance.measureUserAgentSpecificMemory?.())?.bytes ?? null;
  await train(steps / 4);
  const before = { bytes: await measure(), held: held?.() ?? null };
  await train(steps);
  const after = { bytes: await measure(), held: held?.() ?? null };
  return {
    backend: keras.backend.backend(),
    draws,
    history: history as ScenarioResult["history"],
    predictions,
    reloaded,
    file: [...new Uint8Array(await file.arrayBuffer())],
    memory: { before, after },
  };
}
