import { leakyRelu } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { float, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = { negativeSlope: float(0.3, { min: 0 }) };
export interface LeakyReLUOptions extends LayerOptions, Options<typeof fields> {}

/** x where it is not negative, else `negativeSlope` · x. */
export class LeakyReLU extends configure(Layer, "LeakyReLU", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: LeakyReLUOptions = {}) {
    super(options);
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override call(inputs: Tensor): Tensor {
    return leakyRelu(inputs, { negativeSlope: this.negativeSlope });
  }
}

registerBuiltins("keras.layers", { LeakyReLU });
