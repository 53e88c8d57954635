import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { mean } from "../../ops/reductions.js";
import { BaseGlobalPooling, type GlobalPoolingOptions } from "./base-global-pooling.js";

/** Mean of each channel over three spatial axes. */
export class GlobalAveragePooling3D extends configure(BaseGlobalPooling, "GlobalAveragePooling3D", {}) {
  constructor(options: GlobalPoolingOptions = {}) {
    super(options);
  }
  protected override get rank(): 3 {
    return 3;
  }
  override call(inputs: Tensor): Tensor {
    return mean(inputs, this.reduction);
  }
}
export { GlobalAveragePooling3D as GlobalAvgPool3D };

registerBuiltins("keras.layers", { GlobalAveragePooling3D, GlobalAvgPool3D: GlobalAveragePooling3D });
