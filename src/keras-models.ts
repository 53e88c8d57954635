/** `keras.models`: models, and loading and saving them. */
import "./saving/model-methods.js";

export * from "./models/index.js";
export { loadModel, type LoadModelOptions } from "./saving/load-model.js";
export { saveModel, type SaveModelOptions } from "./saving/save-model.js";
