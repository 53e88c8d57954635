import { configure } from "../../config/configure.js";
import { type Arguments, ints, optional, type Options, positiveInt } from "../../config/fields.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { convTranspose } from "../../ops/convolution.js";
import { kernelFields, windowFields } from "./conv-fields.js";
import { Windowed, type WindowedOptions } from "./windowed.js";

/** Arguments about windows of transposed convolutions over `rank` spatial axes. */
/* @__NO_SIDE_EFFECTS__ */
export const transposedFields = (rank: number) => ({
  ...windowFields(rank),
  /** Size added at the end of each spatial axis of the output; chosen from the other arguments when null. */
  outputPadding: optional(ints(rank, { allowZero: true })),
});
const fields = {
  /** Number of output channels. */
  filters: positiveInt(),
  ...transposedFields(0),
  ...kernelFields,
};
/** The options of transposed convolutions. */
export interface ConvTransposeOptions extends WindowedOptions, Omit<Options<typeof fields>, keyof WindowedOptions> {}

/** Base of transposed convolutions: each input element adds its multiple of a kernel [...window, filters, channels] to the output. */
export abstract class BaseConvTranspose extends configure(Windowed, "BaseConvTranspose", fields) {
  kernel: Variable | null = null;

  constructor(options: Arguments<typeof fields> & WindowedOptions) {
    super(options);
    if (this.outputPadding?.some((extra, i) => extra >= this.strides[i]!))
      throw new RangeError(
        `Layer "${this.name}": outputPadding must be below strides on every axis. Received: outputPadding=[${this.outputPadding}] and strides=[${this.strides}].`,
      );
  }
  override build(inputShape: SymbolicShape): void {
    this.kernel = this.addWeight({
      name: "kernel",
      shape: [...this.kernelSize, this.filters, this.fixChannels(inputShape)],
      initializer: this.kernelInitializer,
      regularizer: this.kernelRegularizer,
      constraint: this.kernelConstraint,
    });
    this.addBias(this.filters);
  }
  override call(inputs: Tensor): Tensor {
    const { outputPadding } = this;
    return this.finish(convTranspose(inputs, this.kernel!, { ...this.windowOptions, outputPadding }));
  }
}
