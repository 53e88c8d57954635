import { configure } from "../../config/configure.js";
import { axis, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { normalize } from "../../ops/normalization.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = { axis: axis(-1) };
export interface UnitNormalizationOptions extends LayerOptions, Options<typeof fields> {}

/** Gives vectors along `axis` Euclidean length 1. */
export class UnitNormalization extends configure(Layer, "UnitNormalization", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: UnitNormalizationOptions = {}) {
    super(options);
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override call(inputs: Tensor): Tensor {
    return normalize(inputs, { axis: this.axis, order: 2, epsilon: 1e-12 });
  }
}

registerBuiltins("keras.layers", { UnitNormalization });
