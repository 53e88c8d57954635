import { configure } from "../../config/configure.js";
import { derived, intList } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { reshape } from "../../ops/shape.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** Shape without the batch axis; one dimension may be -1. */
  targetShape: derived(intList({ min: -1 }), (value, name) => {
    if (value.filter((dim) => dim === -1).length > 1) throw wrongValue(name, "a shape with at most one -1", value);
    return value;
  }),
};

/** Gives each sample another shape. */
export class Reshape extends configure(Layer, "Reshape", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(targetShape: readonly number[], options: LayerOptions = {}) {
    super({ targetShape, ...options });
    this.buildAtInit();
  }
  override call(inputs: Tensor): Tensor {
    const [batch, ...sample] = inputs.shape as [number, ...number[]];
    const size = sample.reduce((n, dim) => n * dim, 1);
    const known = this.targetShape.reduce((n, dim) => (dim === -1 ? n : n * dim), 1);
    const open = this.targetShape.includes(-1);
    if (!Number.isNaN(size) && (open ? size % known !== 0 : size !== known))
      throw new RangeError(
        `Layer "${this.name}" cannot give a sample of shape [${sample}] the shape [${this.targetShape}]: the number of elements differs.`,
      );
    return reshape(inputs, [batch, ...this.targetShape.map((dim) => (dim === -1 ? size / known : dim))]);
  }
}

registerBuiltins("keras.layers", { Reshape });
