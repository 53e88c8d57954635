import { configure } from "../../config/configure.js";
import type { Config } from "../../config/field.js";
import { float, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { L1L2 } from "../../regularizers/index.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** Factor of the sum of absolute values. */
  l1: float(0),
  /** Factor of the sum of squares. */
  l2: float(0),
};
export interface ActivityRegularizationOptions
  extends Omit<LayerOptions, "activityRegularizer">, Options<typeof fields> {}

/** Passes its inputs through and adds a penalty on them to the loss. */
export class ActivityRegularization extends configure(Layer, "ActivityRegularization", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: ActivityRegularizationOptions = {}) {
    const { l1 = 0, l2 = 0 } = options;
    super({ ...options, activityRegularizer: new L1L2({ l1, l2 }) });
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override call(inputs: Tensor): Tensor {
    return inputs;
  }
  override getConfig(): Config {
    const { activity_regularizer: _, ...config } = super.getConfig();
    return config;
  }
}

registerBuiltins("keras.layers", { ActivityRegularization });
