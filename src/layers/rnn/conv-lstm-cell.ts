import { configure } from "../../config/configure.js";
import { any, type Arguments, positiveInt } from "../../config/fields.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { add, multiply } from "../../ops/arithmetic.js";
import { conv } from "../../ops/convolution.js";
import { zeros } from "../../ops/creation.js";
import { split } from "../../ops/joining.js";
import { concatenate, reshape } from "../../ops/shape.js";
import type { SeedGenerator } from "../../random/seed-generator.js";
import { seed } from "../../random/seed-field.js";
import { showShape } from "../base/shapes.js";
import type { ConvPadding } from "../convolutional/conv-fields.js";
import { channelAxis, dataFormat } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import type { LayerOptions } from "../layer.js";
import { cellTrainingFields, forgetBiasField, gateFields, initializerFields } from "./cell-fields.js";
import type { States } from "./cell.js";
import { generatorOf } from "./dropout-cell.js";
import { forgetBias } from "./forget-bias.js";
import { advanceMemory } from "./memory.js";
import { ProjectingCell } from "./projecting-cell.js";

/** What a layer hands on to the cell it makes; the window comes checked. */
export const convLSTMCellFields = {
  /** Number of channels of outputs and states. */
  filters: positiveInt(),
  kernelSize: any<readonly number[]>(),
  strides: any<readonly number[]>(),
  padding: any<ConvPadding>(),
  dataFormat: dataFormat(),
  dilationRate: any<readonly number[]>(),
  ...gateFields,
  ...initializerFields,
  ...forgetBiasField,
  ...cellTrainingFields,
  /** Makes dropout reproducible. */
  seed: seed(),
};

/**
 * One step of a long short-term memory whose products are convolutions (Shi et al., 2015). Inputs are [batch, ...space, channels]; those of
 * the state are padded, so that it keeps its size.
 */
export class ConvLSTMCell extends configure(ProjectingCell, "ConvLSTMCell", convLSTMCellFields) {
  override readonly seedGenerator: SeedGenerator;
  kernel: Variable | null = null;
  recurrentKernel: Variable | null = null;
  bias: Variable | null = null;
  /** The shape of a sample of the inputs. */
  #sampleShape: readonly number[] = [];

  constructor(options: Arguments<typeof convLSTMCellFields> & LayerOptions) {
    // Made first, as in Python, so that unseeded weights begin with the same values.
    const generator = generatorOf(options.seed ?? null);
    super(options);
    this.seedGenerator = generator;
  }
  override get stateSize(): readonly number[] {
    return [this.filters, this.filters];
  }
  override get outputSize(): number {
    return this.filters;
  }
  protected override get maskCount(): number {
    return 4;
  }

  override build(inputShape: SymbolicShape): void {
    const sample = inputShape.slice(1);
    if (!sample.every((dim) => dim !== null))
      throw new TypeError(
        `Layer "${this.name}" needs to know all sizes of its inputs but those of batch and steps, since its states have them. Received shape of a step: ${showShape(inputShape)}.`,
      );
    this.#sampleShape = sample as readonly number[];
    this.inputSpec = new InputSpec({ shape: [null, ...sample] });
    const channels = inputShape.at(channelAxis(this.dataFormat))!;
    const width = 4 * this.filters;
    this.kernel = this.addWeight({
      name: "kernel",
      shape: [...this.kernelSize, channels, width],
      initializer: this.kernelInitializer,
      regularizer: this.kernelRegularizer,
      constraint: this.kernelConstraint,
    });
    this.recurrentKernel = this.addWeight({
      name: "recurrent_kernel",
      shape: [...this.kernelSize, this.filters, width],
      initializer: this.recurrentInitializer,
      regularizer: this.recurrentRegularizer,
      constraint: this.recurrentConstraint,
    });
    if (this.useBias)
      this.bias = this.addWeight({
        name: "bias",
        shape: [width],
        initializer: this.unitForgetBias ? forgetBias(this.biasInitializer) : this.biasInitializer,
        regularizer: this.biasRegularizer,
        constraint: this.biasConstraint,
      });
  }

  override project(inputs: Tensor, training: boolean): Tensor {
    const masks = this.inputMasks(inputs, training);
    const { strides, padding, dataFormat, dilationRate } = this;
    const window = { strides, padding, dataFormat, dilationRate };
    // All steps at once have one axis more than the window expects.
    const steps = inputs.ndim - this.kernelSize.length - 2;
    const product = this.#product(inputs, this.kernel!.value, masks, (x, kernel) => {
      const flat = steps > 0 ? reshape(x, [x.shape[0]! * x.shape[1]!, ...x.shape.slice(2)]) : x;
      const y = conv(flat, kernel, window);
      return steps > 0 ? reshape(y, [...inputs.shape.slice(0, 2), ...y.shape.slice(1)]) : y;
    });
    return this.bias ? add(product, this.#alongChannels(this.bias)) : product;
  }
  override recur(state: Tensor, training: boolean): Tensor {
    const masks = this.stateMasks(state, training);
    return this.#product(state, this.recurrentKernel!.value, masks, (x, kernel) =>
      conv(x, kernel, { padding: "same", dataFormat: this.dataFormat }),
    );
  }
  #product(
    x: Tensor,
    kernel: Tensor,
    masks: readonly Tensor[] | null,
    convolve: (x: Tensor, kernel: Tensor) => Tensor,
  ): Tensor {
    if (!masks) return convolve(x, kernel);
    const parts = split(kernel, 4, { axis: -1 }).map((part, i) => convolve(multiply(x, masks[i]!), part));
    return concatenate(parts, { axis: -1 - this.#axesAfterGates });
  }
  /** How many axes come after that of channels. */
  get #axesAfterGates(): number {
    return this.dataFormat === "channels_last" ? 0 : this.kernelSize.length;
  }
  #alongChannels(vector: Variable): Tensor | Variable {
    if (this.dataFormat === "channels_last") return vector;
    return reshape(vector, [vector.shape[0]!, ...this.kernelSize.map(() => 1)]);
  }
  override advance(projected: Tensor, recurrent: Tensor, [, carry]: readonly Tensor[]): readonly Tensor[] {
    return advanceMemory(this, add(projected, recurrent), carry!, this.#axesAfterGates);
  }

  /** The shape of the output, and that of each state, for inputs of a step. */
  override computeOutputShape(inputShape: SymbolicShape): [output: SymbolicShape, states: SymbolicShape[]] {
    const isLast = this.dataFormat === "channels_last";
    const space = (isLast ? inputShape.slice(1, -1) : inputShape.slice(2)).map((size, i) => {
      if (size === null) return null;
      const reach = this.padding === "same" ? 0 : (this.kernelSize[i]! - 1) * this.dilationRate[i]!;
      return Math.ceil((size - reach) / this.strides[i]!);
    });
    const batch = inputShape[0]!;
    const shape = isLast ? [batch, ...space, this.filters] : [batch, this.filters, ...space];
    return [shape, [shape, shape]];
  }
  override getInitialState(batchSize: number): States {
    const [shape] = this.computeOutputShape([batchSize, ...this.#sampleShape]);
    return [0, 1].map(() => zeros(shape as readonly number[], { dtype: this.inputDtype }));
  }
}
