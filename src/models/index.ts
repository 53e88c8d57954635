/** `keras.models`: models of layers. */
export { type CloneOptions, cloneModel } from "./clone-model.js";
export { Functional } from "./functional.js";
export { modelFromJson } from "./json.js";
export { type GraphOptions, Model, type ModelOptions, type SymbolicStructure } from "./model.js";
export { Sequential, type SequentialItem, type SequentialOptions } from "./sequential.js";
export type { SummaryOptions } from "./summary.js";
