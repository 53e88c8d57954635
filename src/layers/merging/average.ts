import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { add, divide } from "../../ops/arithmetic.js";
import type { LayerOptions } from "../layer.js";
import { Merge } from "./merge.js";

/** Mean of its inputs. */
export class Average extends configure(Merge, "Average", {}) {
  constructor(options: LayerOptions = {}) {
    super(options);
  }
  protected override merge(inputs: readonly Tensor[]): Tensor {
    return divide(
      inputs.reduce((sum, x) => add(sum, x)),
      inputs.length,
    );
  }
}

registerBuiltins("keras.layers", { Average });
