import { configure } from "../../config/configure.js";
import { bool, oneOf, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { add, multiply } from "../../ops/arithmetic.js";
import { tanh } from "../../ops/elementwise.js";
import { matmul } from "../../ops/matmul.js";
import { swapaxes } from "../../ops/rearranging.js";
import { sum } from "../../ops/reductions.js";
import { expandDims } from "../../ops/shape.js";
import { SequenceAttention, type SequenceAttentionOptions } from "./sequence-attention.js";

const fields = {
  /** Whether the scores have a learned factor. */
  useScale: bool(false),
  /** "dot": products of queries and keys; "concat": the sum of tanh(query + key), with a learned factor. */
  scoreMode: oneOf(["dot", "concat"], "dot"),
};
export interface AttentionOptions extends SequenceAttentionOptions, Options<typeof fields> {}

/** Attention by dot products (Luong et al., 2015): `softmax(query · keyᵀ) · value`, for inputs [query, value, key]; the key is the value unless given. */
export class Attention extends configure(SequenceAttention, "Attention", fields) {
  scale: Variable | null = null;
  concatScoreWeight: Variable | null = null;

  constructor(options: AttentionOptions = {}) {
    super(options);
  }
  override build(inputShapes: readonly SymbolicShape[]): void {
    this.check(inputShapes);
    const scalar = { shape: [], initializer: "ones" } as const;
    if (this.useScale) this.scale = this.addWeight({ name: "scale", ...scalar });
    if (this.scoreMode === "concat")
      this.concatScoreWeight = this.addWeight({ name: "concat_score_weight", ...scalar });
  }
  protected override score(query: Tensor, key: Tensor): Tensor {
    const scaled = (x: Tensor): Tensor => (this.scale ? multiply(x, this.scale) : x);
    if (!this.concatScoreWeight) return scaled(matmul(query, swapaxes(key, -2, -1)));
    const sums = add(expandDims(query, -2), expandDims(key, -3));
    return multiply(this.concatScoreWeight, sum(tanh(scaled(sums)), { axis: -1 }));
  }
}

registerBuiltins("keras.layers", { Attention });
