import { objectField } from "../config/fields.js";
import { makeLookup } from "../config/lookup.js";
import { toTensor } from "../core/convert.js";
import { anySymbolic } from "../core/symbolic.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { logSoftmax, sigmoid, softmax } from "../ops/activation.js";
import { exp as exponential, tanh } from "../ops/elementwise.js";
import * as rectifiers from "../ops/rectifiers.js";
import * as smooth from "../ops/smooth-activations.js";
import { mish } from "./mish.js";
import { relu } from "./relu.js";

/** A function from a tensor to a tensor of the same shape. */
export type ActivationFunction = (x: Tensor) => Tensor;

/** x itself. */
export function linear(x: TensorLike): Tensor {
  return anySymbolic(x) ? (x as Tensor) : toTensor(x);
}
/** x times the share of a standard normal below it; exact unless `approximate` asks for the formula with tanh. */
export const gelu = (x: TensorLike, { approximate = false }: smooth.GeluOptions = {}): Tensor =>
  smooth.gelu(x, { approximate });

export { exponential, logSoftmax, mish, relu, sigmoid, softmax, tanh };
export type { ReluOptions } from "./relu.js";
export const { celu, elu, hardShrink, hardSigmoid, hardSilu, hardTanh, leakyRelu, relu6, selu, softShrink, threshold } =
  rectifiers;
export const {
  glu,
  logSigmoid,
  silu,
  softplus,
  softsign,
  sparsePlus,
  sparseSigmoid,
  sparsemax,
  squareplus,
  tanhShrink,
} = smooth;

/** Finds activations by name, config or function. */
export const activations = makeLookup({
  kind: "activation",
  module: "keras.activations",
  objects: {
    relu,
    leaky_relu: leakyRelu,
    relu6,
    softmax,
    celu,
    elu,
    selu,
    softplus,
    softsign,
    squareplus,
    soft_shrink: softShrink,
    sparse_plus: sparsePlus,
    silu,
    gelu,
    glu,
    tanh,
    tanh_shrink: tanhShrink,
    threshold,
    sigmoid,
    sparse_sigmoid: sparseSigmoid,
    exponential,
    hard_sigmoid: hardSigmoid,
    hard_silu: hardSilu,
    hard_tanh: hardTanh,
    hard_shrink: hardShrink,
    linear,
    mish,
    log_softmax: logSoftmax,
    log_sigmoid: logSigmoid,
    sparsemax,
  },
  aliases: { swish: silu, hard_swish: hardSilu },
  bareNames: true,
  whenNull: linear as ActivationFunction,
  accepts: (value): value is ActivationFunction => typeof value === "function",
});
export type ActivationName = (typeof activations.names)[number];
/** A constructor argument that is an activation; linear when it is null or left out. */
export const activation = <F extends ActivationName | null>(fallback: F) => objectField(activations, fallback);
/** The activation that a name, config or function stands for. */
export const { get, serialize, deserialize } = activations;
