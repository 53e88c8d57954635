import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseSpatialDropout } from "./base-spatial-dropout.js";
import type { RandomLayerOptions } from "./random-layer.js";

/** In training, drops whole channels of sequences [batch, steps, channels]. */
export class SpatialDropout1D extends configure(BaseSpatialDropout, "SpatialDropout1D", {}) {
  constructor(rate: number, options: RandomLayerOptions = {}) {
    super({ rate, ...options });
  }
}

registerBuiltins("keras.layers", { SpatialDropout1D });
