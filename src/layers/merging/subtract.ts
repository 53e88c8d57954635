import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import { subtract } from "../../ops/arithmetic.js";
import type { LayerOptions } from "../layer.js";
import { Merge } from "./merge.js";

/** Difference of its two inputs. */
export class Subtract extends configure(Merge, "Subtract", {}) {
  constructor(options: LayerOptions = {}) {
    super(options);
  }
  override build(inputShapes: readonly SymbolicShape[]): void {
    super.build(inputShapes);
    this.requireTwo(inputShapes);
  }
  protected override merge(inputs: readonly Tensor[]): Tensor {
    this.requireTwo(inputs);
    return subtract(inputs[0]!, inputs[1]!);
  }
  private requireTwo(inputs: readonly unknown[]): void {
    if (inputs.length !== 2)
      throw new RangeError(
        `Layer "${this.name}" subtracts one of exactly two inputs. Received: ${inputs.length} inputs.`,
      );
  }
}

registerBuiltins("keras.layers", { Subtract });
