import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseSeparableConv, type SeparableConvOptions } from "./base-separable-conv.js";
import { windowFields } from "./conv-fields.js";

/** Depthwise convolution over two spatial axes, then a mixing of channels. */
export class SeparableConv2D extends configure(BaseSeparableConv, "SeparableConv2D", windowFields(2)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: SeparableConvOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}
export { SeparableConv2D as SeparableConvolution2D };

registerBuiltins("keras.layers", { SeparableConv2D, SeparableConvolution2D: SeparableConv2D });
