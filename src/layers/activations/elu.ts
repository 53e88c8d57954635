import { elu } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { float, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = { alpha: float(1) };
export interface ELUOptions extends LayerOptions, Options<typeof fields> {}

/** x where it is positive, else alpha · (exp(x) - 1) (Clevert et al., 2016). */
export class ELU extends configure(Layer, "ELU", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: ELUOptions = {}) {
    super(options);
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override call(inputs: Tensor): Tensor {
    return elu(inputs, { alpha: this.alpha });
  }
}

registerBuiltins("keras.layers", { ELU });
