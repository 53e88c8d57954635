import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { adaptiveFields, type AdaptivePoolingOptions, BaseAdaptiveMaxPooling } from "./base-adaptive-pooling.js";

/** Largest elements of `outputSize` windows over one spatial axis. */
export class AdaptiveMaxPooling1D extends configure(BaseAdaptiveMaxPooling, "AdaptiveMaxPooling1D", adaptiveFields(1)) {
  constructor(outputSize: number | readonly number[], options: AdaptivePoolingOptions = {}) {
    super({ outputSize, ...options });
  }
}

registerBuiltins("keras.layers", { AdaptiveMaxPooling1D });
