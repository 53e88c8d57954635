import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { add } from "../../ops/arithmetic.js";
import type { LayerOptions } from "../layer.js";
import { Merge } from "./merge.js";

/** Sum of its inputs. */
export class Add extends configure(Merge, "Add", {}) {
  constructor(options: LayerOptions = {}) {
    super(options);
  }
  protected override merge(inputs: readonly Tensor[]): Tensor {
    return inputs.reduce((sum, x) => add(sum, x));
  }
}

registerBuiltins("keras.layers", { Add });
