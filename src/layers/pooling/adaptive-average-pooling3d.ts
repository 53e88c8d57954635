import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { adaptiveFields, type AdaptivePoolingOptions, BaseAdaptiveAveragePooling } from "./base-adaptive-pooling.js";

/** Means of `outputSize` windows over three spatial axes. */
export class AdaptiveAveragePooling3D extends configure(
  BaseAdaptiveAveragePooling,
  "AdaptiveAveragePooling3D",
  adaptiveFields(3),
) {
  constructor(outputSize: number | readonly number[], options: AdaptivePoolingOptions = {}) {
    super({ outputSize, ...options });
  }
}

registerBuiltins("keras.layers", { AdaptiveAveragePooling3D });
