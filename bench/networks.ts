/** The networks that are measured, as bench/keras_bench.py has them, with the shape of their data. */
import { Input, layers, Model, Sequential } from "keras-ts";
import type { KerasTensor } from "keras-ts";

/** A network of ten classes and the batch it is trained on. */
export interface Network {
  readonly shape: readonly number[];
  readonly batch: number;
  readonly build: () => Model;
}

const sequential = (shape: readonly number[], stack: () => layers.Layer[], batch = 128): Network => ({
  shape,
  batch,
  build: () => new Sequential([Input({ shape }), ...stack()]),
});

export const cnn = sequential([28, 28, 1], () => [
  new layers.Conv2D(32, 3, { activation: "relu" }),
  new layers.MaxPooling2D(),
  new layers.Conv2D(64, 3, { activation: "relu" }),
  new layers.GlobalAveragePooling2D(),
  new layers.Dense(10, { activation: "softmax" }),
]);

export const mlp = sequential([784], () => [
  new layers.Dense(512, { activation: "relu" }),
  new layers.Dense(512, { activation: "relu" }),
  new layers.Dense(10, { activation: "softmax" }),
]);

/** Sequences of 100 steps of 32 features. */
export const lstm = sequential(
  [100, 32],
  () => [new layers.LSTM(64), new layers.Dense(10, { activation: "softmax" })],
  32,
);

/** ResNet-20 for 32x32 images (He et al., 2015), with projections where the shape changes. */
export const resnet20: Network = {
  shape: [32, 32, 3],
  batch: 32,
  build: () => {
    const relu = (x: KerasTensor): KerasTensor => new layers.ReLU()(x);
    const convolve = (x: KerasTensor, filters: number, size: number, strides = 1): KerasTensor =>
      new layers.BatchNormalization()(
        new layers.Conv2D(filters, size, { strides, padding: "same", useBias: false })(x),
      );
    const block = (x: KerasTensor, filters: number, strides: number): KerasTensor => {
      const changes = strides !== 1 || x.shape.at(-1) !== filters;
      const residual = convolve(relu(convolve(x, filters, 3, strides)), filters, 3);
      return relu(new layers.Add()([changes ? convolve(x, filters, 1, strides) : x, residual]));
    };
    const inputs = Input({ shape: [32, 32, 3] });
    let x = relu(convolve(inputs, 16, 3));
    for (const filters of [16, 32, 64])
      for (let i = 0; i < 3; i++) x = block(x, filters, i === 0 && filters > 16 ? 2 : 1);
    const outputs = new layers.Dense(10, { activation: "softmax" })(new layers.GlobalAveragePooling2D()(x));
    return new Model({ inputs, outputs });
  },
};
