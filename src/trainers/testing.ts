import "../backend/index.js";
import "../ops/operators.js";
import { NDArray } from "../core/ndarray.js";
import { Dense } from "../layers/index.js";
import { Sequential } from "../models/index.js";
import { defaultRng } from "../utils/random/generator.js";
import type { CompileOptions } from "./compile/compile-arguments.js";

/** Float32 numbers of a normal distribution, the same each time. */
export function normal(shape: readonly number[], seed = 1): NDArray {
  const size = shape.reduce((n, d) => n * d, 1);
  return new NDArray(Float32Array.from(defaultRng(seed).standardNormal(size)), shape, "float32");
}
/** Class numbers below `classes`. */
export function labels(count: number, classes: number, seed = 2): NDArray {
  return new NDArray(Int32Array.from(defaultRng(seed).integers(0, classes, count)), [count], "int32");
}
/** A small classifier of 4 inputs and 3 classes, compiled. */
export function classifier(options: CompileOptions = {}): Sequential {
  const model = new Sequential([new Dense(8, { activation: "relu" }), new Dense(3, { activation: "softmax" })]);
  model.compile({ optimizer: "sgd", loss: "sparse_categorical_crossentropy", metrics: ["accuracy"], ...options });
  return model;
}
