import { configure } from "../../config/configure.js";
import { bool, derived, oneOf, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { toTensor } from "../../core/convert.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { Layer, type LayerOptions } from "../layer.js";
import { encodeCategories } from "./encode-categories.js";

const fields = {
  /** Number of categories. */
  numTokens: positiveInt(),
  /**
   * "multi_hot": a row of 0 and 1 for each sample, with 1 at each category in it; "count": with how often it is in it; "one_hot": a row
   * for each category. "binary" is an old name of the first.
   */
  outputMode: derived(oneOf(["multi_hot", "one_hot", "count", "binary"], "multi_hot"), (mode) =>
    mode === "binary" ? "multi_hot" : mode,
  ),
  /** Kept for saved models: outputs are always dense. */
  sparse: bool(false),
};
export interface CategoryEncodingOptions extends LayerOptions, Omit<Options<typeof fields>, "numTokens"> {}

/** Turns integers from 0 to `numTokens` - 1 into rows of 0 and 1, or of counts; samples lie along the last axis. Others leave no trace. */
export class CategoryEncoding extends configure(Layer, "CategoryEncoding", fields) {
  static override readonly callOptions: readonly string[] = ["countWeights"];

  constructor(numTokens: number, options: CategoryEncodingOptions = {}) {
    super({ numTokens, ...options });
  }
  override call(inputs: TensorLike, { countWeights = null }: { countWeights?: TensorLike | null } = {}): Tensor {
    if (countWeights !== null && this.outputMode !== "count")
      throw new TypeError(
        `Layer "${this.name}" uses \`countWeights\` only when \`outputMode\` is "count". Received: ${JSON.stringify(this.outputMode)}.`,
      );
    const weights = countWeights === null ? null : toTensor(countWeights, this.inputDtype);
    return encodeCategories(toTensor(inputs), this.outputMode, {
      depth: this.numTokens,
      dtype: this.inputDtype,
      weights,
    });
  }
  override computeOutputShape(inputShape: SymbolicShape): SymbolicShape {
    const keepsLast = this.outputMode === "one_hot" && (inputShape.length === 1 || inputShape.at(-1) !== 1);
    return [...(keepsLast ? inputShape : inputShape.slice(0, -1)), this.numTokens];
  }
  override get convertsInputs(): boolean {
    return false;
  }
  override get takesAnyArguments(): boolean {
    return true;
  }
}

registerBuiltins("keras.layers", { CategoryEncoding });
