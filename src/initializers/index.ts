import { initializers } from "./lookup.js";

export { Initializer, RandomInitializer, type InitializerCallOptions } from "./initializer.js";
export { Constant, Ones, Zeros } from "./constant.js";
export { Identity, Orthogonal, STFT, type OrthogonalOptions } from "./matrices.js";
export * from "./random.js";
export * from "./variance-scaling.js";
export { type InitializerFunction, type InitializerIdentifier } from "./lookup.js";
/** The initializer that a name, config, class or instance stands for. */
export const { get, serialize, deserialize } = initializers;
