import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseConv, type ConvOptions } from "./base-conv.js";
import { windowFields } from "./conv-fields.js";

/** Convolution over 2 spatial axes. */
export class Conv2D extends configure(BaseConv, "Conv2D", windowFields(2)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}
export { Conv2D as Convolution2D };

registerBuiltins("keras.layers", { Conv2D, Convolution2D: Conv2D });
