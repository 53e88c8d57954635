import { configure } from "../../config/configure.js";
import { ints, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { dataFormat, spatialAxes } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { repeatElements } from "./repeat-elements.js";

const fields = { size: ints(3, 2), dataFormat: dataFormat() };
export interface UpSampling3DOptions extends LayerOptions, Options<typeof fields> {}

/** Repeats slices along three spatial axes, `size` times each. */
export class UpSampling3D extends configure(Layer, "UpSampling3D", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: UpSampling3DOptions = {}) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: 5 });
  }
  override call(inputs: Tensor): Tensor {
    const axes = spatialAxes(this.dataFormat, 3);
    return axes.reduce((y, axis, i) => repeatElements(y, axis, this.size[i]!), inputs);
  }
}

registerBuiltins("keras.layers", { UpSampling3D });
