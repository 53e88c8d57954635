import { relu } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { derived, intOrInts, optional, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { constraint } from "../../constraints/index.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { initializer } from "../../initializers/lookup.js";
import { multiply, negative, subtract } from "../../ops/arithmetic.js";
import { regularizer } from "../../regularizers/index.js";
import { showShape } from "../base/shapes.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  alphaInitializer: initializer("Zeros"),
  alphaRegularizer: regularizer(),
  alphaConstraint: constraint(),
  /** Axes (counted from 1) whose positions share their slopes. */
  sharedAxes: derived(optional(intOrInts({ min: 1 })), (value) => (typeof value === "number" ? [value] : value)),
};
export interface PReLUOptions extends LayerOptions, Options<typeof fields> {}

/** x where it is not negative, else alpha · x with a learned alpha for every feature (He et al., 2015). */
export class PReLU extends configure(Layer, "PReLU", fields) {
  static override readonly callOptions: readonly string[] = [];
  alpha: Variable | null = null;

  constructor(options: PReLUOptions = {}) {
    super(options);
    this.supportsMasking = true;
  }
  override build(inputShape: SymbolicShape): void {
    const shared = this.sharedAxes ?? [];
    const shape = inputShape.slice(1).map((dim, i) => (shared.includes(i + 1) ? 1 : dim));
    if (shape.includes(null))
      throw new TypeError(
        `Layer "${this.name}" needs known sizes of all axes that share no slopes. Received shape: ${showShape(inputShape)}.`,
      );
    this.alpha = this.addWeight({
      name: "alpha",
      shape: shape as number[],
      initializer: this.alphaInitializer,
      regularizer: this.alphaRegularizer,
      constraint: this.alphaConstraint,
    });
    const axes = shared.length
      ? Object.fromEntries(inputShape.flatMap((dim, i) => (i === 0 || shared.includes(i) ? [] : [[i, dim]])))
      : {};
    this.inputSpec = new InputSpec({ ndim: inputShape.length, axes });
  }
  override call(inputs: Tensor): Tensor {
    return subtract(relu(inputs), multiply(this.alpha!, relu(negative(inputs))));
  }
}

registerBuiltins("keras.layers", { PReLU });
