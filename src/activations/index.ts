import { makeLookup } from "../config/lookup.js";
import { objectField } from "../config/fields.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { toTensor } from "../core/convert.js";
import { anySymbolic } from "../core/symbolic.js";
import * as ops from "../ops/activation.js";
import { exp as exponential, tanh } from "../ops/elementwise.js";

/** A function from a tensor to a tensor of the same shape. */
export type ActivationFunction = (x: Tensor) => Tensor;

/** x itself. */
export function linear(x: TensorLike): Tensor {
  return anySymbolic(x) ? (x as Tensor) : toTensor(x);
}
export const { relu, sigmoid, softmax, logSoftmax } = ops;
export { exponential, tanh };

/** Finds activations by name, config or function. */
export const activations = makeLookup({
  kind: "activation",
  module: "keras.activations",
  objects: { relu, sigmoid, softmax, log_softmax: logSoftmax, tanh, exponential, linear },
  bareNames: true,
  whenNull: linear as ActivationFunction,
  accepts: (value): value is ActivationFunction => typeof value === "function",
});
export type ActivationName = (typeof activations.names)[number];
/** A constructor argument that is an activation; linear when it is null or left out. */
export const activation = <F extends ActivationName | null>(fallback: F) => objectField(activations, fallback);
/** The activation that a name, config or function stands for. */
export const { get, serialize, deserialize } = activations;
