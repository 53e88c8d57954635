import { configure } from "../../config/configure.js";
import { bool, float, optional, type Options, string } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { divide, multiply } from "../../ops/arithmetic.js";
import { cast, tanh } from "../../ops/elementwise.js";
import { matmul } from "../../ops/matmul.js";
import { transpose } from "../../ops/shape.js";
import { BaseEmbedding, type BaseEmbeddingOptions } from "./base-embedding.js";

const fields = {
  /** Whether the way back uses the same table. */
  tieWeights: bool(true),
  /** Dtype of the way back; that of the layer when null. */
  reverseDtype: optional(string()),
  /** Keeps logits within this distance of 0, smoothly. */
  logitSoftCap: optional(float()),
};
export interface ReversibleEmbeddingOptions extends BaseEmbeddingOptions, Options<typeof fields> {}

/** An embedding that also turns vectors into logits of the indices, when it is called with `reverse: true`. */
export class ReversibleEmbedding extends configure(BaseEmbedding, "ReversibleEmbedding", fields) {
  static override readonly callOptions: readonly string[] = ["reverse"];
  reverseEmbeddings: Variable | null = null;

  constructor(inputDim: number, outputDim: number, options: ReversibleEmbeddingOptions = {}) {
    super({ inputDim, outputDim, ...options });
    this.takeWeights();
  }
  override build(): void {
    if (this.built) return;
    super.build();
    if (this.tieWeights) return;
    this.reverseEmbeddings = this.addWeight({
      name: "reverse_embeddings",
      shape: [this.outputDim, this.inputDim],
      initializer: this.embeddingsInitializer,
    });
  }
  override call(inputs: Tensor, { reverse = false }: { reverse?: boolean } = {}): Tensor {
    if (!reverse) {
      const vectors = super.call(inputs);
      vectors.kerasMask = super.computeMask(inputs);
      return vectors;
    }
    const dtype = this.reverseDtype;
    const as = (x: Tensor): Tensor => (dtype === null ? x : cast(x, dtype));
    const kernel = this.reverseEmbeddings?.value ?? (transpose(this.embeddings!.value) as Tensor);
    const logits = matmul(as(inputs), as(kernel));
    const cap = this.logitSoftCap;
    return cap === null ? logits : multiply(tanh(divide(logits, cap)), cap);
  }
  /** Only vectors have a mask, which `call` gives them. */
  override computeMask(_inputs: Tensor): null {
    return null;
  }
}

registerBuiltins("keras.layers", { ReversibleEmbedding });
