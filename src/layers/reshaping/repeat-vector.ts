import { configure } from "../../config/configure.js";
import { positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { broadcastTo, expandDims } from "../../ops/shape.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";

/** Repeats each vector `n` times: [batch, size] becomes [batch, n, size]. */
export class RepeatVector extends configure(Layer, "RepeatVector", { n: positiveInt() }) {
  static override readonly callOptions: readonly string[] = [];

  constructor(n: number, options: LayerOptions = {}) {
    super({ n, ...options });
    this.inputSpec = new InputSpec({ ndim: 2 });
  }
  override call(inputs: Tensor): Tensor {
    const [batch, size] = inputs.shape as [number, number];
    return broadcastTo(expandDims(inputs, 1), [batch, this.n, size]);
  }
}

registerBuiltins("keras.layers", { RepeatVector });
