import { configure } from "../../config/configure.js";
import { type Arguments, ints, type Options } from "../../config/fields.js";
import type { Tensor } from "../../core/tensor.js";
import { adaptiveAveragePool, adaptiveMaxPool } from "../../ops/pooling.js";
import { dataFormat } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";

/** The number of output positions on each of `rank` spatial axes. */
/* @__NO_SIDE_EFFECTS__ */
export const adaptiveFields = (rank: number) => ({ outputSize: ints(rank) });
const fields = { ...adaptiveFields(0), dataFormat: dataFormat() };
/** The options of adaptive pooling layers, besides the size of the output. */
export interface AdaptivePoolingOptions extends LayerOptions, Options<typeof fields> {}

/** Base of layers that pool to a fixed number of positions. */
export abstract class BaseAdaptivePooling extends configure(Layer, "BaseAdaptivePooling", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: Arguments<typeof fields> & LayerOptions) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: this.outputSize.length + 2 });
    this.buildAtInit();
  }
}
/** Base of adaptive average pooling. */
export abstract class BaseAdaptiveAveragePooling extends configure(
  BaseAdaptivePooling,
  "BaseAdaptiveAveragePooling",
  {},
) {
  override call(inputs: Tensor): Tensor {
    return adaptiveAveragePool(inputs, this.outputSize, { dataFormat: this.dataFormat });
  }
}
/** Base of adaptive max pooling. */
export abstract class BaseAdaptiveMaxPooling extends configure(BaseAdaptivePooling, "BaseAdaptiveMaxPooling", {}) {
  override call(inputs: Tensor): Tensor {
    return adaptiveMaxPool(inputs, this.outputSize, { dataFormat: this.dataFormat });
  }
}
