import { configure } from "../../config/configure.js";
import { float, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { notEqual, where } from "../../ops/logic.js";
import { any } from "../../ops/reductions.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** A step whose features all have this value is masked. */
  maskValue: float(0),
};
export interface MaskingOptions extends LayerOptions, Options<typeof fields> {}

/** Masks the steps of sequences [batch, steps, features] whose features all have `maskValue`, and sets them to 0. */
export class Masking extends configure(Layer, "Masking", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: MaskingOptions = {}) {
    super(options);
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override computeMask(inputs: Tensor): Tensor {
    return any(notEqual(inputs, this.maskValue), { axis: -1 });
  }
  override call(inputs: Tensor): Tensor {
    return where(any(notEqual(inputs, this.maskValue), { axis: -1, keepdims: true }), inputs, 0);
  }
}

registerBuiltins("keras.layers", { Masking });
