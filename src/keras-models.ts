/** `keras.models`: models, and loading and saving them. */
import "./backend/index.js";
import "./ops/operators.js";
import "./saving/model-methods.js";

export * from "./models/index.js";
export type { LoadModelOptions } from "./saving/load-model.js";
export { loadModel, saveModel } from "./saving/on-demand.js";
export type { SaveModelOptions } from "./saving/save-model.js";
