import { configure } from "../../config/configure.js";
import { type Arguments, type Options, positiveInt } from "../../config/fields.js";
import { constraint } from "../../constraints/index.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { initializer } from "../../initializers/lookup.js";
import { separableConv } from "../../ops/convolution.js";
import { regularizer } from "../../regularizers/index.js";
import { depthwiseFields, windowFields } from "./conv-fields.js";
import { Windowed, type WindowedOptions } from "./windowed.js";

const fields = {
  /** Number of output channels. */
  filters: positiveInt(),
  ...windowFields(0),
  /** Channels between the two steps, for each input channel. */
  depthMultiplier: positiveInt(1),
  ...depthwiseFields,
  pointwiseInitializer: initializer("glorot_uniform"),
  pointwiseRegularizer: regularizer(),
  pointwiseConstraint: constraint(),
};
/** The options of separable convolutions. */
export interface SeparableConvOptions extends WindowedOptions, Omit<Options<typeof fields>, keyof WindowedOptions> {}

/** Base of separable convolutions: a depthwise convolution, then one that only mixes channels. */
export abstract class BaseSeparableConv extends configure(Windowed, "BaseSeparableConv", fields) {
  depthwiseKernel: Variable | null = null;
  pointwiseKernel: Variable | null = null;

  constructor(options: Arguments<typeof fields> & WindowedOptions) {
    super(options);
  }
  override build(inputShape: SymbolicShape): void {
    const channels = this.fixChannels(inputShape);
    this.depthwiseKernel = this.addWeight({
      name: "depthwise_kernel",
      shape: [...this.kernelSize, channels, this.depthMultiplier],
      initializer: this.depthwiseInitializer,
      regularizer: this.depthwiseRegularizer,
      constraint: this.depthwiseConstraint,
    });
    this.pointwiseKernel = this.addWeight({
      name: "pointwise_kernel",
      shape: [...this.kernelSize.map(() => 1), channels * this.depthMultiplier, this.filters],
      initializer: this.pointwiseInitializer,
      regularizer: this.pointwiseRegularizer,
      constraint: this.pointwiseConstraint,
    });
    this.addBias(this.filters);
  }
  override call(inputs: Tensor): Tensor {
    return this.finish(separableConv(inputs, this.depthwiseKernel!, this.pointwiseKernel!, this.windowOptions));
  }
}
