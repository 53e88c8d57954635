/** The networks in tfjs-layers, trained by its `fit` on the WebAssembly backend. */
import { createRequire } from "node:module";
import * as tf from "@tensorflow/tfjs-core";
import * as layers from "@tensorflow/tfjs-layers";

// Gradients and methods of tensors are extras of the library, in files that Node cannot import as modules.
const require = createRequire(import.meta.url);
require("@tensorflow/tfjs-core/dist/register_all_gradients");
require("@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops");

const BATCH = 128;
const { dense, conv2d, maxPooling2d, globalAveragePooling2d } = layers.layers;
const networks: Readonly<Record<string, { readonly input: number[]; readonly stack: () => layers.layers.Layer[] }>> = {
  mlp: {
    input: [784],
    stack: () => [
      dense({ units: 512, activation: "relu", inputShape: [784] }),
      dense({ units: 512, activation: "relu" }),
      dense({ units: 10, activation: "softmax" }),
    ],
  },
  cnn: {
    input: [28, 28, 1],
    stack: () => [
      conv2d({ filters: 32, kernelSize: 3, activation: "relu", inputShape: [28, 28, 1] }),
      maxPooling2d({}),
      conv2d({ filters: 64, kernelSize: 3, activation: "relu" }),
      globalAveragePooling2d({}),
      dense({ units: 10, activation: "softmax" }),
    ],
  },
};

/** A function that trains the network by `steps` steps of `fit` and gives the milliseconds between the ends of the batches. */
export function trainer(name: string): (steps: number) => Promise<number[]> {
  const network = networks[name];
  if (!network) throw new Error(`There is no ${name} for tfjs-layers.`);
  const { input, stack } = network;
  const model = layers.sequential({ layers: stack() });
  model.compile({ optimizer: "adam", loss: "sparseCategoricalCrossentropy" });
  return async (steps) => {
    const count = BATCH * (steps + 1);
    const x = tf.randomNormal([count, ...input]);
    const y = tf.floor(tf.randomUniform([count, 1], 0, 10));
    const ends: number[] = [];
    const onBatchEnd = async (): Promise<void> => void ends.push(performance.now());
    const options = {
      batchSize: BATCH,
      epochs: 1,
      shuffle: false,
      verbose: 0,
      yieldEvery: "never",
      callbacks: { onBatchEnd },
    } as const;
    await model.fit(x, y, options);
    tf.dispose([x, y]);
    return ends.slice(1).map((time, i) => time - ends[i]!);
  };
}
