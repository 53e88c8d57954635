import { makeLookup } from "../config/lookup.js";
import { Adam } from "./adam.js";
import { Optimizer } from "./optimizer.js";
import { RMSprop } from "./rmsprop.js";
import { SGD } from "./sgd.js";

export { Adam, type AdamOptions } from "./adam.js";
export { Optimizer, type OptimizerOptions } from "./optimizer.js";
export { RMSprop, type RMSpropOptions } from "./rmsprop.js";
export { SGD, type SGDOptions } from "./sgd.js";

/** Finds optimizers by lower-case class name, config, class or instance. */
export const optimizers = makeLookup({
  kind: "optimizer",
  module: "keras.optimizers",
  objects: { Adam, RMSprop, SGD },
  snakeNames: false,
  ignoreCase: true,
  accepts: (value): value is Optimizer => value instanceof Optimizer,
});
/** The optimizer that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = optimizers;
