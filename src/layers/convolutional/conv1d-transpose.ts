import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { BaseConvTranspose, type ConvTransposeOptions, transposedFields } from "./base-conv-transpose.js";

/** Transposed convolution over 1 spatial axis. */
export class Conv1DTranspose extends configure(BaseConvTranspose, "Conv1DTranspose", transposedFields(1)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvTransposeOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}
export { Conv1DTranspose as Convolution1DTranspose };

registerBuiltins("keras.layers", { Conv1DTranspose, Convolution1DTranspose: Conv1DTranspose });
