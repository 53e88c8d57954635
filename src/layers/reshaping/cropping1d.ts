import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";

import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { borders } from "./border.js";
import { crop } from "./crop.js";

const fields = { cropping: borders(1, 1) };
export interface Cropping1DOptions extends LayerOptions, Options<typeof fields> {}

/** Cuts off both ends of one spatial axis. */
export class Cropping1D extends configure(Layer, "Cropping1D", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: Cropping1DOptions = {}) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: 3 });
  }
  override call(inputs: Tensor): Tensor {
    return crop(this.name, inputs, [1], this.cropping);
  }
}

registerBuiltins("keras.layers", { Cropping1D });
