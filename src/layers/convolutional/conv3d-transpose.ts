import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseConvTranspose, type ConvTransposeOptions, transposedFields } from "./base-conv-transpose.js";

/** Transposed convolution over 3 spatial axes. */
export class Conv3DTranspose extends configure(BaseConvTranspose, "Conv3DTranspose", transposedFields(3)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvTransposeOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}
export { Conv3DTranspose as Convolution3DTranspose };

registerBuiltins("keras.layers", { Conv3DTranspose, Convolution3DTranspose: Conv3DTranspose });
