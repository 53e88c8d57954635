import { configure } from "../../config/configure.js";
import type { Config } from "../../config/field.js";
import { axis, bool, float, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { cast } from "../../ops/elementwise.js";
import { layerNormalization } from "../../ops/normalization.js";
import { Layer, type LayerOptions } from "../layer.js";
import { addBeta, addGamma, affineFields } from "./affine.js";
import { asAxes, sizesOf } from "./normalized-axes.js";

const fields = {
  /** The axes that are normalized together. */
  axis: axis(-1),
  epsilon: float(1e-3),
  /** Divides by the standard deviation only. Kept for old models: RMSNormalization is what it meant to be. */
  rmsScaling: bool(false),
  ...affineFields,
};
export interface LayerNormalizationOptions extends LayerOptions, Options<typeof fields> {}

/** Gives each sample mean 0 and variance 1 over its features (Ba et al., 2016). */
export class LayerNormalization extends configure(Layer, "LayerNormalization", fields) {
  static override readonly callOptions: readonly string[] = [];
  gamma: Variable | null = null;
  beta: Variable | null = null;

  constructor(options: LayerNormalizationOptions = {}) {
    super({ ...options, autocast: false });
    this.supportsMasking = true;
  }
  override build(inputShape: SymbolicShape): void {
    const shape = sizesOf(this.name, asAxes(this.axis), inputShape);
    if (this.scale || this.rmsScaling) this.gamma = addGamma(this, shape);
    if (this.center && !this.rmsScaling) this.beta = addBeta(this, shape);
  }
  override call(inputs: Tensor): Tensor {
    const { gamma, beta, epsilon, rmsScaling } = this;
    const y = layerNormalization(inputs, { gamma, beta, axis: asAxes(this.axis), epsilon, rmsScaling });
    return cast(y, this.computeDtype);
  }
  override getConfig(): Config {
    return { ...super.getConfig(), axis: this.built ? asAxes(this.axis) : this.axis };
  }
}

registerBuiltins("keras.layers", { LayerNormalization });
