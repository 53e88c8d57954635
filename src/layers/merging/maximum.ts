import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { maximum } from "../../ops/arithmetic.js";
import type { LayerOptions } from "../layer.js";
import { mergeValid, Merge } from "./merge.js";

/** Largest of its inputs, element by element; masked steps do not count. */
export class Maximum extends configure(Merge, "Maximum", {}) {
  constructor(options: LayerOptions = {}) {
    super(options);
  }
  protected override merge(inputs: readonly Tensor[]): Tensor {
    return mergeValid(inputs, maximum);
  }
}

registerBuiltins("keras.layers", { Maximum });
