/** `keras.layers`: building blocks of models. */
export { Dense, type DenseOptions } from "./core/dense.js";
export { Identity } from "./core/identity.js";
export { Input, InputLayer, type InputOptions } from "./core/input-layer.js";
export { InputSpec, type InputSpecOptions } from "./input-spec.js";
export { Layer, type LayerOptions } from "./layer.js";
export type { CallOptions } from "./base/call-types.js";
export type { WeightOptions } from "./base/weights.js";
