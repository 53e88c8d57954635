/**
 * Memory over many train steps: `KERAS_BACKEND=torch tsx --conditions=source bench/memory.ts [STEPS]` prints the resident megabytes after each
 * tenth of the steps of a small network's `fit`, as a JSON line. A leak of one small tensor a step shows.
 */
import * as keras from "keras-ts";
import { callbacks, layers } from "keras-ts";

const steps = Number(process.argv[2] ?? 10_000);
const batch = 32;

class Resident extends callbacks.Callback {
  readonly megabytes: number[] = [];
  #steps = 0;

  override onTrainBatchEnd(): void {
    if (++this.#steps % Math.ceil(steps / 10) !== 0) return;
    this.megabytes.push(Math.round(process.memoryUsage.rss() / 2 ** 20));
  }
}

const model = new keras.Sequential([
  keras.Input({ shape: [64] }),
  new layers.Dense(64, { activation: "relu" }),
  new layers.BatchNormalization(),
  new layers.Dropout(0.1),
  new layers.Dense(10, { activation: "softmax" }),
]);
model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy", metrics: ["accuracy"] });
const perEpoch = Math.min(steps, 500);
const x = new keras.NDArray(
  Float32Array.from({ length: perEpoch * batch * 64 }, Math.random),
  [perEpoch * batch, 64],
  "float32",
);
const y = new keras.NDArray(
  Int32Array.from({ length: perEpoch * batch }, (_, i) => i % 10),
  [perEpoch * batch],
  "int32",
);
const resident = new Resident();
await model.fit(x, y, { batchSize: batch, epochs: Math.ceil(steps / perEpoch), verbose: 0, callbacks: [resident] });
console.log(JSON.stringify({ engine: keras.backend.backend(), steps, megabytes: resident.megabytes }));
