import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseSeparableConv, type SeparableConvOptions } from "./base-separable-conv.js";
import { windowFields } from "./conv-fields.js";

/** Depthwise convolution over one spatial axis, then a mixing of channels. */
export class SeparableConv1D extends configure(BaseSeparableConv, "SeparableConv1D", windowFields(1)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: SeparableConvOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}
export { SeparableConv1D as SeparableConvolution1D };

registerBuiltins("keras.layers", { SeparableConv1D, SeparableConvolution1D: SeparableConv1D });
