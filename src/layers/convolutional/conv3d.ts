import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseConv, type ConvOptions } from "./base-conv.js";
import { windowFields } from "./conv-fields.js";

/** Convolution over 3 spatial axes. */
export class Conv3D extends configure(BaseConv, "Conv3D", windowFields(3)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}
export { Conv3D as Convolution3D };

registerBuiltins("keras.layers", { Conv3D, Convolution3D: Conv3D });
