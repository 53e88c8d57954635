import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { minimum } from "../../ops/arithmetic.js";
import type { LayerOptions } from "../layer.js";
import { mergeValid, Merge } from "./merge.js";

/** Smallest of its inputs, element by element; masked steps do not count. */
export class Minimum extends configure(Merge, "Minimum", {}) {
  constructor(options: LayerOptions = {}) {
    super(options);
  }
  protected override merge(inputs: readonly Tensor[]): Tensor {
    return mergeValid(inputs, minimum);
  }
}

registerBuiltins("keras.layers", { Minimum });
