import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { ImageDataFormat } from "../../core/settings.js";
import { dataFormat } from "../data-format.js";
import { BaseSpatialDropout } from "./base-spatial-dropout.js";
import type { RandomLayerOptions } from "./random-layer.js";

const fields = { dataFormat: dataFormat() };
export interface SpatialDropout3DOptions extends RandomLayerOptions, Options<typeof fields> {}

/** In training, drops whole channels of volumes. */
export class SpatialDropout3D extends configure(BaseSpatialDropout, "SpatialDropout3D", fields) {
  constructor(rate: number, options: SpatialDropout3DOptions = {}) {
    super({ rate, ...options });
  }
  protected override get rank(): number {
    return 3;
  }
  protected override get format(): ImageDataFormat {
    return this.dataFormat;
  }
}

registerBuiltins("keras.layers", { SpatialDropout3D });
