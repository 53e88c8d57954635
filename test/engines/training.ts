import type * as keras from "../../src/index.js";
import type { Keras } from "../support/keras-on.js";

const BATCH = 16;
/** A batch of small images in four classes. */
export function batch({ NDArray }: Keras): [x: keras.NDArray, y: keras.NDArray] {
  const pixels = Float32Array.from({ length: BATCH * 144 }, (_, i) => ((i * 7919) % 1009) / 1009);
  const labels = Int32Array.from({ length: BATCH }, (_, i) => i % 4);
  return [new NDArray(pixels, [BATCH, 12, 12, 1], "float32"), new NDArray(labels, [BATCH], "int32")];
}
/** A small network for them, of convolutions, normalization and dropout; the same weights each time. */
export function network({ Input, layers, Sequential, utils }: Keras): keras.Sequential {
  utils.setRandomSeed(3);
  const model = new Sequential([
    Input([12, 12, 1]),
    new layers.Conv2D(4, 3, { activation: "relu", padding: "same" }),
    new layers.MaxPooling2D(2),
    new layers.BatchNormalization(),
    new layers.Conv2D(6, 3, { activation: "relu", strides: 2 }),
    new layers.Dropout(0.2),
    new layers.GlobalAveragePooling2D(),
    new layers.Dense(4, { activation: "softmax" }),
  ]);
  model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy", metrics: ["accuracy"] });
  return model;
}
/** The losses of steps of training on the batch. */
export async function losses(loaded: Keras, steps: number, model = network(loaded)): Promise<number[]> {
  const [x, y] = batch(loaded);
  const seen: number[] = [];
  for (let i = 0; i < steps; i++) {
    const { loss } = (await model.trainOnBatch(x, y, { returnDict: true })) as Record<string, number>;
    seen.push(Number(loss));
  }
  return seen;
}
