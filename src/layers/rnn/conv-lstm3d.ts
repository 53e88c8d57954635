import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import { windowFields } from "../convolutional/conv-fields.js";
import { BaseConvLSTM, type ConvLSTMOptions } from "./base-conv-lstm.js";

/** Recurrent layer whose gates convolve over three axes, as of volumes over time. */
export class ConvLSTM3D extends configure(BaseConvLSTM, "ConvLSTM3D", windowFields(3)) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvLSTMOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
}

registerBuiltins("keras.layers", { ConvLSTM3D });
