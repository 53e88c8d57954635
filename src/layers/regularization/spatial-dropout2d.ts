import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { ImageDataFormat } from "../../core/settings.js";
import { dataFormat } from "../data-format.js";
import { BaseSpatialDropout } from "./base-spatial-dropout.js";
import type { RandomLayerOptions } from "./random-layer.js";

const fields = { dataFormat: dataFormat() };
export interface SpatialDropout2DOptions extends RandomLayerOptions, Options<typeof fields> {}

/** In training, drops whole channels of images. */
export class SpatialDropout2D extends configure(BaseSpatialDropout, "SpatialDropout2D", fields) {
  constructor(rate: number, options: SpatialDropout2DOptions = {}) {
    super({ rate, ...options });
  }
  protected override get rank(): number {
    return 2;
  }
  protected override get format(): ImageDataFormat {
    return this.dataFormat;
  }
}

registerBuiltins("keras.layers", { SpatialDropout2D });
