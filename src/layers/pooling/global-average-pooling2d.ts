import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { mean } from "../../ops/reductions.js";
import { BaseGlobalPooling, type GlobalPoolingOptions } from "./base-global-pooling.js";

/** Mean of each channel over two spatial axes. */
export class GlobalAveragePooling2D extends configure(BaseGlobalPooling, "GlobalAveragePooling2D", {}) {
  constructor(options: GlobalPoolingOptions = {}) {
    super(options);
  }
  protected override get rank(): 2 {
    return 2;
  }
  override call(inputs: Tensor): Tensor {
    return mean(inputs, this.reduction);
  }
}
export { GlobalAveragePooling2D as GlobalAvgPool2D };

registerBuiltins("keras.layers", { GlobalAveragePooling2D, GlobalAvgPool2D: GlobalAveragePooling2D });
