/** `keras.saving`, with an engine to compute on. */
import "./backend/index.js";
import "./ops/operators.js";
import "./saving/model-methods.js";

export * from "./saving/index.js";
