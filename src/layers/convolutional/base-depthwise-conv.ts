import { configure } from "../../config/configure.js";
import { type Arguments, type Options, positiveInt } from "../../config/fields.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { depthwiseConv } from "../../ops/convolution.js";
import { depthwiseFields, windowFields } from "./conv-fields.js";
import { Windowed, type WindowedOptions } from "./windowed.js";

const fields = {
  ...windowFields(0),
  /** Output channels for each input channel. */
  depthMultiplier: positiveInt(1),
  ...depthwiseFields,
};
/** The options of depthwise convolutions. */
export interface DepthwiseConvOptions extends WindowedOptions, Omit<Options<typeof fields>, keyof WindowedOptions> {}

/** Base of depthwise convolutions: every channel meets its own kernels, [...window, channels, depthMultiplier]. */
export abstract class BaseDepthwiseConv extends configure(Windowed, "BaseDepthwiseConv", fields) {
  kernel: Variable | null = null;

  constructor(options: Arguments<typeof fields> & WindowedOptions) {
    super(options);
  }
  override build(inputShape: SymbolicShape): void {
    const channels = this.fixChannels(inputShape);
    this.kernel = this.addWeight({
      name: "kernel",
      shape: [...this.kernelSize, channels, this.depthMultiplier],
      initializer: this.depthwiseInitializer,
      regularizer: this.depthwiseRegularizer,
      constraint: this.depthwiseConstraint,
    });
    this.addBias(channels * this.depthMultiplier);
  }
  override call(inputs: Tensor): Tensor {
    return this.finish(depthwiseConv(inputs, this.kernel!, this.windowOptions));
  }
}
