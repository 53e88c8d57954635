import { configure } from "../../config/configure.js";
import { any, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { toTensor } from "../../core/convert.js";
import { imageDataFormat } from "../../core/settings.js";
import type { ArrayLikeData } from "../../core/ndarray.js";
import type { Tensor } from "../../core/tensor.js";
import { add, multiply } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { reshape } from "../../ops/shape.js";
import { Layer, type LayerOptions } from "../layer.js";

type NumberOrArray = number | ArrayLikeData;
const fields = {
  /** Factor, for all elements or each channel. */
  scale: any<NumberOrArray>(),
  /** Added after the multiplication. */
  offset: any<NumberOrArray>(0),
};
export interface RescalingOptions extends LayerOptions, Omit<Options<typeof fields>, "scale"> {}

/** inputs · scale + offset. */
export class Rescaling extends configure(Layer, "Rescaling", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(scale: NumberOrArray, options: RescalingOptions = {}) {
    super({ scale, ...options });
    this.supportsMasking = true;
  }
  override call(inputs: Tensor): Tensor {
    const dtype = this.inputDtype;
    const scale = toTensor(this.scale, dtype);
    const perChannel = scale.ndim > 0 && imageDataFormat() === "channels_first";
    const factor = perChannel ? reshape(scale, [...scale.shape, ...Array<number>(3 - scale.ndim).fill(1)]) : scale;
    return add(multiply(cast(inputs, dtype), factor), toTensor(this.offset, dtype));
  }
}

registerBuiltins("keras.layers", { Rescaling });
