import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { max } from "../../ops/reductions.js";
import { BaseGlobalPooling, type GlobalPoolingOptions } from "./base-global-pooling.js";

/** Largest element of each channel over three spatial axes. */
export class GlobalMaxPooling3D extends configure(BaseGlobalPooling, "GlobalMaxPooling3D", {}) {
  constructor(options: GlobalPoolingOptions = {}) {
    super(options);
  }
  protected override get rank(): 3 {
    return 3;
  }
  override call(inputs: Tensor): Tensor {
    return max(inputs, this.reduction);
  }
}
export { GlobalMaxPooling3D as GlobalMaxPool3D };

registerBuiltins("keras.layers", { GlobalMaxPooling3D, GlobalMaxPool3D: GlobalMaxPooling3D });
