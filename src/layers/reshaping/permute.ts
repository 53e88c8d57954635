import { configure } from "../../config/configure.js";
import { derived, intList } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { transpose } from "../../ops/shape.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** Which input axis goes where; counted from 1, because the batch axis stays. */
  dims: derived(intList(), (value, name) => {
    const sorted = [...value].sort((a, b) => a - b);
    if (sorted.some((dim, i) => dim !== i + 1))
      throw wrongValue(name, `a permutation of 1 to ${Math.max(1, value.length)}`, value);
    return value;
  }),
};

/** Reorders the axes of each sample. */
export class Permute extends configure(Layer, "Permute", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(dims: readonly number[], options: LayerOptions = {}) {
    super({ dims, ...options });
    this.inputSpec = new InputSpec({ ndim: this.dims.length + 1 });
  }
  override call(inputs: Tensor): Tensor {
    return transpose(inputs, { axes: [0, ...this.dims] });
  }
}

registerBuiltins("keras.layers", { Permute });
