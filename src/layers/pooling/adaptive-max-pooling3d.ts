import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { adaptiveFields, type AdaptivePoolingOptions, BaseAdaptiveMaxPooling } from "./base-adaptive-pooling.js";

/** Largest elements of `outputSize` windows over three spatial axes. */
export class AdaptiveMaxPooling3D extends configure(BaseAdaptiveMaxPooling, "AdaptiveMaxPooling3D", adaptiveFields(3)) {
  constructor(outputSize: number | readonly number[], options: AdaptivePoolingOptions = {}) {
    super({ outputSize, ...options });
  }
}

registerBuiltins("keras.layers", { AdaptiveMaxPooling3D });
