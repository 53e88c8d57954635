import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { adaptiveFields, type AdaptivePoolingOptions, BaseAdaptiveAveragePooling } from "./base-adaptive-pooling.js";

/** Means of `outputSize` windows over two spatial axes. */
export class AdaptiveAveragePooling2D extends configure(
  BaseAdaptiveAveragePooling,
  "AdaptiveAveragePooling2D",
  adaptiveFields(2),
) {
  constructor(outputSize: number | readonly number[], options: AdaptivePoolingOptions = {}) {
    super({ outputSize, ...options });
  }
}

registerBuiltins("keras.layers", { AdaptiveAveragePooling2D });
