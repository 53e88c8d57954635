// Trains a small convolutional network on handwritten digits and saves it: npm run mnist
//
// KERAS_BACKEND chooses the engine, as in Python Keras. The saved file opens in Python Keras as well.

import * as keras from "keras-ts";
import { Input, layers, models, NDArray, Sequential } from "keras-ts";
import { loadDigits } from "./digits.js";

const { Conv2D, Dense, GlobalAveragePooling2D, MaxPooling2D } = layers;

console.log(`Backend: ${keras.backend.backend()}`);

// 70,000 images of 28 by 28 pixels, from 0 to 255, and the digits they show.
const [[xTrain, yTrain], [xTest, yTest]] = await loadDigits();

/** Images as the network takes them: from 0 to 1, with an axis for the one channel of gray. */
function prepare(images: NDArray): NDArray {
  const pixels = images.astype("float32").data as Float32Array;
  return new NDArray(
    pixels.map((value) => value / 255),
    [...images.shape, 1],
    "float32",
  );
}
const trainImages = prepare(xTrain);
const testImages = prepare(xTest);

const model = new Sequential([
  Input([28, 28, 1]),
  new Conv2D(32, 3, { activation: "relu" }),
  new MaxPooling2D(2),
  new Conv2D(64, 3, { activation: "relu" }),
  new GlobalAveragePooling2D(),
  new Dense(10, { activation: "softmax" }),
]);
model.summary();

model.compile({ optimizer: "adam", loss: "sparse_categorical_crossentropy", metrics: ["accuracy"] });
await model.fit(trainImages, yTrain, { epochs: 2, batchSize: 128 });

const { accuracy } = await model.evaluate(testImages, yTest, { returnDict: true });
console.log(`Accuracy on the 10,000 test images: ${Number(accuracy).toFixed(4)}`);

await model.save("mnist_model.keras");
const loaded = await models.loadModel("mnist_model.keras");

const before = await model.predict(testImages, { verbose: 0 });
const after = await loaded.predict(testImages, { verbose: 0 });
console.log(`Saved and loaded again: predictions ${String(before) === String(after) ? "are equal" : "differ"}`);
