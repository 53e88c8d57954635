import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { add } from "../../ops/arithmetic.js";
import { reshape } from "../../ops/shape.js";
import { showShape } from "../base/shapes.js";
import { channelAxis } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { commonFields, type ConvPadding, type windowFields } from "./conv-fields.js";

/** The options that all convolutions take. */
export interface WindowedOptions
  extends
    LayerOptions,
    Options<ReturnType<typeof windowFields>>,
    Omit<Options<typeof commonFields>, keyof LayerOptions> {}

/** Base of convolutions: checks of the window, the bias, and the end of `call`. */
export abstract class Windowed extends configure(Layer, "Windowed", commonFields) {
  static override readonly callOptions: readonly string[] = [];
  // Fields of the subclasses, which have them after `filters`, as Python has its arguments.
  declare readonly kernelSize: readonly number[];
  declare readonly strides: readonly number[];
  declare readonly dilationRate: readonly number[];
  declare readonly padding: ConvPadding;
  bias: Variable | null = null;

  constructor(options: WindowedOptions) {
    super(options);
    this.inputSpec = new InputSpec({ minNdim: this.rank + 2 });
    if (Math.max(...this.strides) > 1 && Math.max(...this.dilationRate) > 1)
      throw new RangeError(
        `Layer "${this.name}": strides above 1 cannot go with a dilation rate above 1. Received: strides=[${this.strides}] and dilationRate=[${this.dilationRate}].`,
      );
  }
  /** Number of spatial axes. */
  get rank(): number {
    return this.kernelSize.length;
  }
  /** Options of the op that convolves. */
  protected get windowOptions() {
    const { strides, padding, dataFormat, dilationRate } = this;
    return { strides, padding, dataFormat, dilationRate };
  }
  /** Number of input channels, which inputs must have from now on. */
  protected fixChannels(inputShape: SymbolicShape): number {
    const axis = channelAxis(this.dataFormat);
    const channels = inputShape.at(axis) ?? null;
    if (channels === null)
      throw new TypeError(
        `Layer "${this.name}" needs a known number of channels to make its kernel. Received shape: ${showShape(inputShape)}.`,
      );
    this.inputSpec = new InputSpec({ minNdim: this.rank + 2, axes: { [axis]: channels } });
    return channels;
  }
  protected addBias(size: number): void {
    if (!this.useBias) return;
    this.bias = this.addWeight({
      name: "bias",
      shape: [size],
      initializer: this.biasInitializer,
      regularizer: this.biasRegularizer,
      constraint: this.biasConstraint,
    });
  }
  /** Bias and activation on the result of the convolution. */
  protected finish(y: Tensor): Tensor {
    return this.activation(this.bias ? add(y, this.alongChannels(this.bias)) : y);
  }
  private alongChannels(vector: Variable): Tensor | Variable {
    if (this.dataFormat === "channels_last") return vector;
    return reshape(vector, [1, vector.shape[0]!, ...this.kernelSize.map(() => 1)]);
  }
}
