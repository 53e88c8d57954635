import { relu } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { float, optional, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** Largest output; none when null. */
  maxValue: optional(float({ min: 0 })),
  /** Factor of inputs below the threshold. */
  negativeSlope: float(0, { min: 0 }),
  /** Inputs below it count as small. */
  threshold: float(0, { min: 0 }),
};
export interface ReLUOptions extends LayerOptions, Options<typeof fields> {}

/** max(x, 0), with optional slope, cap and threshold. */
export class ReLU extends configure(Layer, "ReLU", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: ReLUOptions = {}) {
    super(options);
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override call(inputs: Tensor): Tensor {
    const { negativeSlope, maxValue, threshold } = this;
    return relu(inputs, { negativeSlope, maxValue, threshold });
  }
}

registerBuiltins("keras.layers", { ReLU });
