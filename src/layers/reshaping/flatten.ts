import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { reshape, transpose } from "../../ops/shape.js";
import { dataFormat } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = { dataFormat: dataFormat() };
export interface FlattenOptions extends LayerOptions, Options<typeof fields> {}

/** Makes one axis of all but the batch axis: [batch, size]. Channels come last, whatever the data format. */
export class Flatten extends configure(Layer, "Flatten", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: FlattenOptions = {}) {
    super(options);
    this.inputSpec = new InputSpec({ minNdim: 1 });
  }
  override call(inputs: Tensor): Tensor {
    const rank = inputs.ndim;
    const [batch, ...rest] = inputs.shape as [number, ...number[]];
    const last =
      this.dataFormat === "channels_first" && rank > 2
        ? transpose(inputs, { axes: [0, ...rest.slice(1).map((_, i) => i + 2), 1] })
        : inputs;
    return reshape(last, [batch, rest.reduce((n, dim) => n * dim, 1)]);
  }
}

registerBuiltins("keras.layers", { Flatten });
