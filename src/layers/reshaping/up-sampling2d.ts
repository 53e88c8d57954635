import { configure } from "../../config/configure.js";
import { ints, oneOf, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { cast } from "../../ops/elementwise.js";
import { resizeAxis } from "../../ops/image/resample.js";
import { dataFormat, spatialAxes } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { repeatElements } from "./repeat-elements.js";

const fields = {
  size: ints(2, 2),
  dataFormat: dataFormat(),
  /** How values between pixels are found; "nearest" repeats pixels. */
  interpolation: oneOf(["nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"], "nearest", { lowercase: true }),
};
export interface UpSampling2DOptions extends LayerOptions, Options<typeof fields> {}

/** Makes images larger, `size` times in height and width. */
export class UpSampling2D extends configure(Layer, "UpSampling2D", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: UpSampling2DOptions = {}) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: 4 });
  }
  override call(inputs: Tensor): Tensor {
    const axes = spatialAxes(this.dataFormat, 2);
    const { interpolation, size } = this;
    if (interpolation === "nearest") return axes.reduce((y, axis, i) => repeatElements(y, axis, size[i]!), inputs);
    const wide = cast(inputs, "float32");
    const y = axes.reduce((t, axis, i) => resizeAxis(t, axis, t.shape[axis]! * size[i]!, interpolation), wide);
    return cast(y, inputs.dtype);
  }
}

registerBuiltins("keras.layers", { UpSampling2D });
