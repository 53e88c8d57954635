/** `keras.ops`, with an engine to compute on. */
import "./backend/index.js";
import "./ops/operators.js";

export * from "./ops/index.js";
