import { configure } from "../../config/configure.js";
import { bool, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { add, multiply } from "../../ops/arithmetic.js";
import { tanh } from "../../ops/elementwise.js";
import { sum } from "../../ops/reductions.js";
import { expandDims } from "../../ops/shape.js";
import { SequenceAttention, type SequenceAttentionOptions } from "./sequence-attention.js";

const fields = {
  /** Whether the features have learned factors. */
  useScale: bool(true),
};
export interface AdditiveAttentionOptions extends SequenceAttentionOptions, Options<typeof fields> {}

/** Attention by sums (Bahdanau et al., 2015): scores Σ scale · tanh(query + key), for inputs [query, value, key]; the key is the value unless given. */
export class AdditiveAttention extends configure(SequenceAttention, "AdditiveAttention", fields) {
  scale: Variable | null = null;

  constructor(options: AdditiveAttentionOptions = {}) {
    super(options);
  }
  override build(inputShapes: readonly SymbolicShape[]): void {
    this.check(inputShapes);
    const features = inputShapes[0]!.at(-1) ?? null;
    if (!this.useScale) return;
    if (features === null)
      throw new TypeError(`Layer "${this.name}" needs a known size of the query's last axis to make its scale.`);
    this.scale = this.addWeight({ name: "scale", shape: [features], initializer: "glorot_uniform" });
  }
  protected override score(query: Tensor, key: Tensor): Tensor {
    const bent = tanh(add(expandDims(query, -2), expandDims(key, -3)));
    return sum(this.scale ? multiply(this.scale, bent) : bent, { axis: -1 });
  }
}

registerBuiltins("keras.layers", { AdditiveAttention });
