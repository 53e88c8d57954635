import { activation } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { any, derived, optional, type Options, shape, string } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { constraint } from "../../constraints/index.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { RandomInitializer } from "../../initializers/initializer.js";
import { initializer, type InitializerFunction } from "../../initializers/lookup.js";
import { add } from "../../ops/arithmetic.js";
import { einsum } from "../../ops/einsum.js";
import { regularizer } from "../../regularizers/index.js";
import { showShape } from "../base/shapes.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { einsumShapes } from "./einsum-equation.js";

type Size = number | null;
const fields = {
  /** How inputs and kernel are multiplied and summed: "abc,cd->abd". */
  equation: string(),
  /** Shape of the outputs without the batch axis, and without axes that the equation leaves out as "...". */
  outputShape: derived(any<Size | readonly Size[]>(), (value, name): readonly Size[] =>
    shape().read(Array.isArray(value) ? (value as Size[]) : [value as Size], name, ""),
  ),
  /** Applied to the output; linear when left out. */
  activation: activation(null),
  /** Labels of the output axes that have a bias. */
  biasAxes: optional(string()),
  kernelInitializer: initializer("glorot_uniform"),
  biasInitializer: initializer("zeros"),
  kernelRegularizer: regularizer(),
  biasRegularizer: regularizer(),
  activityRegularizer: regularizer(),
  kernelConstraint: constraint(),
  biasConstraint: constraint(),
  /** How to quantize the kernel, for layers that are. */
  quantizationConfig: any<unknown>(null),
};
export interface EinsumDenseOptions
  extends Omit<LayerOptions, "activityRegularizer">, Omit<Options<typeof fields>, "equation" | "outputShape"> {}

/** A dense layer over any axes: `activation(einsum(equation, inputs, kernel) + bias)`. */
export class EinsumDense extends configure(Layer, "EinsumDense", fields) {
  static override readonly callOptions: readonly string[] = [];
  kernel: Variable | null = null;
  bias: Variable | null = null;

  constructor(equation: string, outputShape: Size | readonly Size[], options: EinsumDenseOptions = {}) {
    super({ equation, outputShape, ...options });
  }
  override build(inputShape: SymbolicShape): void {
    const { kernel, bias, inputAxes, outputAxes } = einsumShapes(
      this.equation,
      this.biasAxes,
      inputShape,
      this.outputShape,
    );
    this.inputSpec = new InputSpec({ ndim: inputShape.length });
    const known = (wanted: SymbolicShape): number[] => {
      if (wanted.includes(null))
        throw new TypeError(
          `Layer "${this.name}" needs known sizes of all axes of its weights. Received input shape ${showShape(inputShape)}, which gives ${showShape(wanted)}.`,
        );
      return wanted as number[];
    };
    this.kernel = this.addWeight({
      name: "kernel",
      shape: known(kernel),
      initializer: withAxes(this.kernelInitializer, inputAxes, outputAxes),
      regularizer: this.kernelRegularizer,
      constraint: this.kernelConstraint,
    });
    if (bias)
      this.bias = this.addWeight({
        name: "bias",
        shape: known(bias),
        initializer: this.biasInitializer,
        regularizer: this.biasRegularizer,
        constraint: this.biasConstraint,
      });
  }
  override call(inputs: Tensor): Tensor {
    const product = einsum(this.equation, inputs, this.kernel!);
    return this.activation(this.bias ? add(product, this.bias) : product);
  }
}

/** The same initializer, and the same draw, but told which axes are inputs and outputs, where it asks for that and was not told. */
function withAxes(
  given: InitializerFunction,
  inputAxes: readonly number[],
  outputAxes: readonly number[],
): InitializerFunction {
  if (!(given instanceof RandomInitializer)) return given;
  const config = given.getConfig();
  const open = "input_axes" in config && (config["input_axes"] === null || config["output_axes"] === null);
  if (!open) return given;
  const { fromConfig } = given.constructor as unknown as { fromConfig(config: object): InitializerFunction };
  const told = { ...config, seed: given["drawSeed"], input_axes: inputAxes, output_axes: outputAxes };
  return fromConfig.call(given.constructor, told);
}

registerBuiltins("keras.layers", { EinsumDense });
