import { configure } from "../../config/configure.js";
import { type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { repeatElements } from "./repeat-elements.js";

const fields = { size: positiveInt(2) };
export interface UpSampling1DOptions extends LayerOptions, Options<typeof fields> {}

/** Repeats every step `size` times. */
export class UpSampling1D extends configure(Layer, "UpSampling1D", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: UpSampling1DOptions = {}) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: 3 });
  }
  override call(inputs: Tensor): Tensor {
    return repeatElements(inputs, 1, this.size);
  }
}

registerBuiltins("keras.layers", { UpSampling1D });
