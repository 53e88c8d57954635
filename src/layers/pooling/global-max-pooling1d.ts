import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { max } from "../../ops/reductions.js";
import { BaseGlobalPooling, type GlobalPoolingOptions } from "./base-global-pooling.js";

/** Largest element of each channel over one spatial axis. */
export class GlobalMaxPooling1D extends configure(BaseGlobalPooling, "GlobalMaxPooling1D", {}) {
  constructor(options: GlobalPoolingOptions = {}) {
    super(options);
  }
  protected override get rank(): 1 {
    return 1;
  }
  override call(inputs: Tensor): Tensor {
    return max(inputs, this.reduction);
  }
}
export { GlobalMaxPooling1D as GlobalMaxPool1D };

registerBuiltins("keras.layers", { GlobalMaxPooling1D, GlobalMaxPool1D: GlobalMaxPooling1D });
