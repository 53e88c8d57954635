import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseDepthwiseConv, type DepthwiseConvOptions } from "./base-depthwise-conv.js";
import { windowFields } from "./conv-fields.js";

/** Convolution of every channel on its own, over one spatial axis. */
export class DepthwiseConv1D extends configure(BaseDepthwiseConv, "DepthwiseConv1D", windowFields(1)) {
  constructor(kernelSize: number | readonly number[], options: DepthwiseConvOptions = {}) {
    super({ kernelSize, ...options });
  }
}

registerBuiltins("keras.layers", { DepthwiseConv1D });
