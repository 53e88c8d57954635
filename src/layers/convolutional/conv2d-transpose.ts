import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseConvTranspose, type ConvTransposeOptions, transposedFields } from "./base-conv-transpose.js";

/** Transposed convolution over 2 spatial axes. */
export class Conv2DTranspose extends configure(BaseConvTranspose, "Conv2DTranspose", transposedFields(2)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvTransposeOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}
export { Conv2DTranspose as Convolution2DTranspose };

registerBuiltins("keras.layers", { Conv2DTranspose, Convolution2DTranspose: Conv2DTranspose });
