import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { windowFields } from "../convolutional/conv-fields.js";
import { BaseConvLSTM, type ConvLSTMOptions } from "./base-conv-lstm.js";

/** Recurrent layer whose gates convolve over one axis, as along a line of sensors. */
export class ConvLSTM1D extends configure(BaseConvLSTM, "ConvLSTM1D", windowFields(1)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvLSTMOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}

registerBuiltins("keras.layers", { ConvLSTM1D });
