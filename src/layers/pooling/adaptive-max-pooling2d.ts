import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { adaptiveFields, type AdaptivePoolingOptions, BaseAdaptiveMaxPooling } from "./base-adaptive-pooling.js";

/** Largest elements of `outputSize` windows over two spatial axes. */
export class AdaptiveMaxPooling2D extends configure(BaseAdaptiveMaxPooling, "AdaptiveMaxPooling2D", adaptiveFields(2)) {
  constructor(outputSize: number | readonly number[], options: AdaptivePoolingOptions = {}) {
    super({ outputSize, ...options });
  }
}

registerBuiltins("keras.layers", { AdaptiveMaxPooling2D });
