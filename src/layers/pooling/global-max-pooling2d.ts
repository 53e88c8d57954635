import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { max } from "../../ops/reductions.js";
import { BaseGlobalPooling, type GlobalPoolingOptions } from "./base-global-pooling.js";

/** Largest element of each channel over two spatial axes. */
export class GlobalMaxPooling2D extends configure(BaseGlobalPooling, "GlobalMaxPooling2D", {}) {
  constructor(options: GlobalPoolingOptions = {}) {
    super(options);
  }
  protected override get rank(): 2 {
    return 2;
  }
  override call(inputs: Tensor): Tensor {
    return max(inputs, this.reduction);
  }
}
export { GlobalMaxPooling2D as GlobalMaxPool2D };

registerBuiltins("keras.layers", { GlobalMaxPooling2D, GlobalMaxPool2D: GlobalMaxPooling2D });
