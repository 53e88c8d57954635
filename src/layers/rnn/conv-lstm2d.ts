import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { windowFields } from "../convolutional/conv-fields.js";
import { BaseConvLSTM, type ConvLSTMOptions } from "./base-conv-lstm.js";

/** Recurrent layer whose gates convolve over two axes, as of images in a film. */
export class ConvLSTM2D extends configure(BaseConvLSTM, "ConvLSTM2D", windowFields(2)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvLSTMOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}

registerBuiltins("keras.layers", { ConvLSTM2D });
