import { configure } from "../../config/configure.js";
import { initialValues } from "../../config/configurable.js";
import { accessor, any, bool, type Options, positiveInt } from "../../config/fields.js";
import { constraint } from "../../constraints/index.js";
import type { ArrayLikeData, NDArray } from "../../core/ndarray.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { initializer } from "../../initializers/lookup.js";
import { add } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { less, notEqual, where } from "../../ops/logic.js";
import * as P from "../../primitives/index.js";
import { regularizer } from "../../regularizers/index.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** Number of rows: indices reach from 0 to `inputDim` - 1. */
  inputDim: positiveInt(),
  /** Length of the vectors. */
  outputDim: positiveInt(),
  embeddingsInitializer: initializer("uniform"),
  embeddingsRegularizer: regularizer(),
  embeddingsConstraint: constraint(),
  activityRegularizer: regularizer(),
  /** Whether index 0 stands for a step that does not count. */
  maskZero: bool(false),
  /** First values of the table. */
  weights: accessor(any<Tensor | NDArray | ArrayLikeData | null>(null, { saved: false })),
  /** How to quantize the table, for layers that are. */
  quantizationConfig: any<unknown>(null),
};
/** The options of tables of vectors. */
export interface BaseEmbeddingOptions
  extends Omit<LayerOptions, "activityRegularizer">, Omit<Options<typeof fields>, "inputDim" | "outputDim"> {}

/** What layers do that look up a learned vector for each index. */
export abstract class BaseEmbedding extends configure(Layer, "BaseEmbedding", fields) {
  embeddings: Variable | null = null;

  constructor(options: BaseEmbeddingOptions & { inputDim: number; outputDim: number }) {
    super({ ...options, autocast: false });
    this.supportsMasking = this.maskZero;
  }
  /** Takes over the first values of the weights where there are any; the last thing in constructors. */
  protected takeWeights(): void {
    const { weights } = initialValues(this, fields);
    if (weights === null) return;
    this.build();
    const list = Array.isArray(weights) && weights.length === 1 ? (weights as ArrayLikeData[]) : [weights];
    this.setWeights(list);
  }
  override build(): void {
    if (this.built) return;
    this.embeddings = this.addWeight({
      name: "embeddings",
      shape: [this.inputDim, this.outputDim],
      initializer: this.embeddingsInitializer,
      regularizer: this.embeddingsRegularizer,
      constraint: this.embeddingsConstraint,
    });
  }
  override call(inputs: Tensor, _options: object = {}): Tensor {
    const indices = cast(inputs, "int32");
    // Python counts negative indices from the end.
    const rows = where(less(indices, 0), add(indices, this.inputDim), indices);
    return cast(P.take(this.embeddings!.value, rows, 0), this.computeDtype);
  }
  override computeMask(inputs: Tensor): Tensor | null {
    return this.maskZero ? notEqual(inputs, 0) : null;
  }
}
