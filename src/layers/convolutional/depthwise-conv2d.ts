import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseDepthwiseConv, type DepthwiseConvOptions } from "./base-depthwise-conv.js";
import { windowFields } from "./conv-fields.js";

/** Convolution of every channel on its own, over two spatial axes. */
export class DepthwiseConv2D extends configure(BaseDepthwiseConv, "DepthwiseConv2D", windowFields(2)) {
  constructor(kernelSize: number | readonly number[], options: DepthwiseConvOptions = {}) {
    super({ kernelSize, ...options });
  }
}

registerBuiltins("keras.layers", { DepthwiseConv2D });
