import { configure } from "../../config/configure.js";
import type { Config } from "../../config/field.js";
import { axis, float, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { rmsNormalization } from "../../ops/normalization.js";
import { Layer, type LayerOptions } from "../layer.js";
import { asAxes, sizesOf } from "./normalized-axes.js";

const fields = {
  /** The axes that are normalized together. */
  axis: axis(-1),
  epsilon: float(1e-6),
};
export interface RMSNormalizationOptions extends LayerOptions, Options<typeof fields> {}

/** Divides by the root of the mean of squares and multiplies by learned factors (Zhang and Sennrich, 2019). */
export class RMSNormalization extends configure(Layer, "RMSNormalization", fields) {
  static override readonly callOptions: readonly string[] = [];
  scale: Variable | null = null;

  constructor(options: RMSNormalizationOptions = {}) {
    super(options);
  }
  override build(inputShape: SymbolicShape): void {
    const shape = sizesOf(this.name, asAxes(this.axis), inputShape);
    this.scale = this.addWeight({ name: "scale", shape, initializer: "ones" });
  }
  override call(inputs: Tensor): Tensor {
    return rmsNormalization(inputs, { scale: this.scale, axis: asAxes(this.axis), epsilon: this.epsilon });
  }
  override getConfig(): Config {
    return { ...super.getConfig(), axis: this.built ? asAxes(this.axis) : this.axis };
  }
}

registerBuiltins("keras.layers", { RMSNormalization });
