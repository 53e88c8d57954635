import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { dataFormat, spatialAxes } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { borders } from "./border.js";
import { crop } from "./crop.js";

const fields = { cropping: borders(2, 0), dataFormat: dataFormat() };
export interface Cropping2DOptions extends LayerOptions, Options<typeof fields> {}

/** Cuts off both ends of two spatial axes. */
export class Cropping2D extends configure(Layer, "Cropping2D", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: Cropping2DOptions = {}) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: 4 });
  }
  override call(inputs: Tensor): Tensor {
    return crop(this.name, inputs, spatialAxes(this.dataFormat, 2), this.cropping);
  }
}

registerBuiltins("keras.layers", { Cropping2D });
