import { activation } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { any, bool, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { constraint } from "../../constraints/index.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { initializer } from "../../initializers/lookup.js";
import { add } from "../../ops/arithmetic.js";
import { matmul } from "../../ops/matmul.js";
import { regularizer } from "../../regularizers/index.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = {
  /** Size of the last axis of the output. */
  units: positiveInt(),
  /** Applied to the output; linear when left out. */
  activation: activation(null),
  useBias: bool(true),
  kernelInitializer: initializer("glorot_uniform"),
  biasInitializer: initializer("zeros"),
  kernelRegularizer: regularizer(),
  biasRegularizer: regularizer(),
  kernelConstraint: constraint(),
  biasConstraint: constraint(),
  /** How to quantize the kernel, for layers that are. */
  quantizationConfig: any<unknown>(null),
};
export interface DenseOptions extends LayerOptions, Options<typeof fields> {}

/** Densely connected layer: `activation(inputs · kernel + bias)` over the last axis of inputs of rank 2 or more. */
export class Dense extends configure(Layer, "Dense", fields) {
  static override readonly callOptions: readonly string[] = [];
  kernel: Variable | null = null;
  bias: Variable | null = null;

  constructor(units: number, options: DenseOptions = {}) {
    super({ units, ...options });
    this.inputSpec = new InputSpec({ minNdim: 2 });
    this.supportsMasking = true;
  }
  override build(inputShape: SymbolicShape): void {
    const inputDim = inputShape.at(-1) ?? null;
    if (inputDim === null)
      throw new TypeError(
        `Layer "${this.name}" needs a known size of the last input axis to make its kernel. Received shape: [${inputShape.map(String).join(", ")}].`,
      );
    this.kernel = this.addWeight({
      name: "kernel",
      shape: [inputDim, this.units],
      initializer: this.kernelInitializer,
      regularizer: this.kernelRegularizer,
      constraint: this.kernelConstraint,
    });
    if (this.useBias)
      this.bias = this.addWeight({
        name: "bias",
        shape: [this.units],
        initializer: this.biasInitializer,
        regularizer: this.biasRegularizer,
        constraint: this.biasConstraint,
      });
    this.inputSpec = new InputSpec({ minNdim: 2, axes: { "-1": inputDim } });
  }
  override call(inputs: Tensor): Tensor {
    const product = matmul(inputs, this.kernel!);
    return this.activation(this.bias ? add(product, this.bias) : product);
  }
  override computeOutputShape(inputShape: SymbolicShape): SymbolicShape {
    return [...inputShape.slice(0, -1), this.units];
  }
}

registerBuiltins("keras.layers", { Dense });
