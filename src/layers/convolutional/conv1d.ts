import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { conv } from "../../ops/convolution.js";
import * as P from "../../primitives/index.js";
import { spatialAxes } from "../data-format.js";
import { BaseConv, type ConvOptions } from "./base-conv.js";
import { windowFields } from "./conv-fields.js";

/** Convolution over one axis, as over time. */
export class Conv1D extends configure(BaseConv, "Conv1D", windowFields(1, ["valid", "same", "causal"])) {
  constructor(filters: number, kernelSize: number | readonly number[], options: ConvOptions = {}) {
    super({ filters, kernelSize, ...options });
  }
  override call(inputs: Tensor): Tensor {
    if (this.padding !== "causal") return super.call(inputs);
    const none = inputs.shape.map(() => 0);
    const [time] = spatialAxes(this.dataFormat, 1);
    const low = none.map((_, i) => (i === time ? this.dilationRate[0]! * (this.kernelSize[0]! - 1) : 0));
    const padded = P.pad(inputs, { low, high: none, interior: none, value: 0 });
    return this.finish(conv(padded, this.kernel!, { ...this.windowOptions, padding: "valid" }));
  }
}
export { Conv1D as Convolution1D };

registerBuiltins("keras.layers", { Conv1D, Convolution1D: Conv1D });
