import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { adaptiveFields, type AdaptivePoolingOptions, BaseAdaptiveAveragePooling } from "./base-adaptive-pooling.js";

/** Means of `outputSize` windows over one spatial axis. */
export class AdaptiveAveragePooling1D extends configure(
  BaseAdaptiveAveragePooling,
  "AdaptiveAveragePooling1D",
  adaptiveFields(1),
) {
  constructor(outputSize: number | readonly number[], options: AdaptivePoolingOptions = {}) {
    super({ outputSize, ...options });
  }
}

registerBuiltins("keras.layers", { AdaptiveAveragePooling1D });
