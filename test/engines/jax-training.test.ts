import { beforeAll, expect, it } from "vitest";
import { type Keras, kerasOn } from "../support/keras-on.js";

let keras: Keras;
let liveTensors: () => number;
beforeAll(async () => {
  keras = await kerasOn("jax");
  ({ liveTensors } = await import("../../src/core/tensor.js"));
});

const waves = (size: number): Float32Array => Float32Array.from({ length: size }, (_, i) => Math.sin(i * 12.9898));
const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);

it("trains a convolutional network, and a thousand steps leave as many tensors and as much memory as there were", async () => {
  const { layers, Input, Sequential, NDArray } = keras;
  const model = new Sequential([
    Input([6, 6, 1]),
    new layers.Conv2D(4, 3, { activation: "relu" }),
    new layers.MaxPooling2D(2),
    new layers.Flatten(),
    new layers.Dense(3, { activation: "softmax" }),
  ]);
  model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy" });
  const x = new NDArray(waves(8 * 36), [8, 6, 6, 1], "float32");
  const y = new NDArray(
    Int32Array.from({ length: 8 }, (_, i) => i % 3),
    [8],
    "int32",
  );
  const losses: number[] = [];
  const step = async (): Promise<void> => {
    losses.push(sum([(await model.trainOnBatch(x, y)) as number]));
  };
  for (let i = 0; i < 50; i++) await step();
  const [tensors, memory] = [liveTensors(), process.memoryUsage().rss];
  for (let i = 0; i < 1000; i++) await step();
  expect(liveTensors()).toBe(tensors);
  expect(process.memoryUsage().rss - memory).toBeLessThan(200e6);
  expect(losses.at(-1)).toBeLessThan(0.2 * losses[0]!);
}, 60_000);
