import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { divide } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { where } from "../../ops/logic.js";
import { mean, sum } from "../../ops/reductions.js";
import { expandDims } from "../../ops/shape.js";
import { BaseGlobalPooling, type GlobalPoolingOptions } from "./base-global-pooling.js";

/** Mean of each channel over one axis; with a mask, over the steps that count. */
export class GlobalAveragePooling1D extends configure(BaseGlobalPooling, "GlobalAveragePooling1D", {}) {
  static override readonly callOptions: readonly string[] = ["mask"];

  constructor(options: GlobalPoolingOptions = {}) {
    super(options);
    this.supportsMasking = true;
  }
  protected override get rank(): 1 {
    return 1;
  }
  override call(inputs: Tensor, { mask = null }: { mask?: Tensor | null } = {}): Tensor {
    if (mask === null) return mean(inputs, this.reduction);
    const counted = cast(expandDims(mask, this.dataFormat === "channels_last" ? 2 : 1), "bool");
    return divide(sum(where(counted, inputs, 0), this.reduction), sum(cast(counted, inputs.dtype), this.reduction));
  }
  override computeMask(): null {
    return null;
  }
}
export { GlobalAveragePooling1D as GlobalAvgPool1D };

registerBuiltins("keras.layers", { GlobalAveragePooling1D, GlobalAvgPool1D: GlobalAveragePooling1D });
