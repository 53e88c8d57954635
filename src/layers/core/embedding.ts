import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseEmbedding, type BaseEmbeddingOptions } from "./base-embedding.js";

export interface EmbeddingOptions extends BaseEmbeddingOptions {}

/** Looks up a learned vector for each index: [...] becomes [..., outputDim]. */
export class Embedding extends configure(BaseEmbedding, "Embedding", {}) {
  static override readonly callOptions: readonly string[] = [];

  constructor(inputDim: number, outputDim: number, options: EmbeddingOptions = {}) {
    super({ inputDim, outputDim, ...options });
    this.takeWeights();
  }
}

registerBuiltins("keras.layers", { Embedding });
