import { configure } from "../../config/configure.js";
import { ints, oneOf, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { fromHost, type Tensor } from "../../core/tensor.js";
import { cast } from "../../ops/elementwise.js";
import { type Interpolation, interpolationMatrix } from "../../ops/interpolation-matrix.js";
import * as P from "../../primitives/index.js";
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
    const y = axes.reduce((t, axis, i) => interpolate(t, axis, size[i]!, interpolation), wide);
    return cast(y, inputs.dtype);
  }
}
/** Resamples one axis to `times` as many samples: a product with a matrix. */
function interpolate(x: Tensor, axis: number, times: number, method: Interpolation): Tensor {
  if (times === 1) return x;
  const matrix = fromHost(interpolationMatrix(x.shape[axis]!, x.shape[axis]! * times, method));
  const y = P.dot(x, matrix, { contract: [[axis], [0]], batch: [[], []] });
  const last = x.ndim - 1;
  return P.transpose(
    y,
    x.shape.map((_, i) => (i < axis ? i : i === axis ? last : i - 1)),
  );
}

registerBuiltins("keras.layers", { UpSampling2D });
