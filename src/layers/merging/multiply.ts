import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { multiply } from "../../ops/arithmetic.js";
import { logicalOr, where } from "../../ops/logic.js";
import type { LayerOptions } from "../layer.js";
import { Merge, spreadMask } from "./merge.js";

/** Product of its inputs, in which masked steps count as 1; 0 where every input is masked. */
export class Multiply extends configure(Merge, "Multiply", {}) {
  constructor(options: LayerOptions = {}) {
    super(options);
  }
  protected override merge(inputs: readonly Tensor[]): Tensor {
    const masks = inputs.map((x) => x.kerasMask && spreadMask(x.kerasMask, x));
    const product = inputs
      .map((x, i) => (masks[i] ? where(masks[i], x, 1) : x))
      .reduce((result, x) => multiply(result, x));
    if (masks.some((mask) => mask === null)) return product;
    const valid = (masks as Tensor[]).reduce((all, mask) => logicalOr(all, mask));
    return where(valid, product, 0);
  }
}

registerBuiltins("keras.layers", { Multiply });
