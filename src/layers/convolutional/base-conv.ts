import { configure } from "../../config/configure.js";
import { type Arguments, type Options, positiveInt } from "../../config/fields.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { conv } from "../../ops/convolution.js";
import { showShape } from "../base/shapes.js";
import { kernelFields, windowFields } from "./conv-fields.js";
import { Windowed, type WindowedOptions } from "./windowed.js";

const fields = {
  /** Number of output channels. */
  filters: positiveInt(),
  ...windowFields(0),
  /** Groups of channels that are convolved apart; divides the numbers of input and output channels. */
  groups: positiveInt(1),
  ...kernelFields,
};
/** The options of plain convolutions. */
export interface ConvOptions extends WindowedOptions, Omit<Options<typeof fields>, keyof WindowedOptions> {}

/** Base of plain convolutions: a kernel [...window, channels / groups, filters] slides over the spatial axes. */
export abstract class BaseConv extends configure(Windowed, "BaseConv", fields) {
  kernel: Variable | null = null;

  constructor(options: Arguments<typeof fields> & WindowedOptions) {
    super(options);
    const { filters, groups } = this;
    if (filters % groups !== 0)
      throw new RangeError(
        `Layer "${this.name}": groups must divide filters. Received: groups=${groups} and filters=${filters}.`,
      );
  }
  override build(inputShape: SymbolicShape): void {
    const channels = this.fixChannels(inputShape);
    if (channels % this.groups !== 0)
      throw new RangeError(
        `Layer "${this.name}": groups must divide the number of input channels. Received: groups=${this.groups} and input shape ${showShape(inputShape)}.`,
      );
    this.kernel = this.addWeight({
      name: "kernel",
      shape: [...this.kernelSize, channels / this.groups, this.filters],
      initializer: this.kernelInitializer,
      regularizer: this.kernelRegularizer,
      constraint: this.kernelConstraint,
    });
    this.addBias(this.filters);
  }
  override call(inputs: Tensor): Tensor {
    return this.finish(conv(inputs, this.kernel!, this.windowOptions));
  }
}
