/** `keras.metrics`, with an engine to compute on. */
import "./backend/index.js";
import "./ops/operators.js";

export * from "./metrics/index.js";
