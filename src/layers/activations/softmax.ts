import { softmax } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { axis, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { cast } from "../../ops/elementwise.js";
import { greater, where } from "../../ops/logic.js";
import { Layer, type LayerOptions } from "../layer.js";

const fields = { axis: axis(-1) };
export interface SoftmaxOptions extends LayerOptions, Options<typeof fields> {}

/** exp(x) scaled so that it sums to 1 over `axis`; where a mask says no, 0. */
export class Softmax extends configure(Layer, "Softmax", fields) {
  static override readonly callOptions: readonly string[] = ["mask"];

  constructor(options: SoftmaxOptions = {}) {
    super(options);
    this.supportsMasking = true;
    this.buildAtInit();
  }
  override call(inputs: Tensor, { mask = null }: { mask?: Tensor | null } = {}): Tensor {
    if (mask === null) return softmax(inputs, { axis: this.axis });
    this.checkMask(mask, inputs);
    const counted = mask.dtype === "bool" ? mask : greater(cast(mask, "float32"), 0.5);
    const hidden = inputs.dtype === "float16" ? -3e4 : -1e9;
    return where(counted, softmax(where(counted, inputs, hidden), { axis: this.axis }), 0);
  }
  private checkMask(mask: Tensor, inputs: Tensor): void {
    const fits = mask.shape.every((dim, i) => {
      const other = inputs.shape[i + inputs.ndim - mask.ndim];
      return dim === 1 || dim === other || Number.isNaN(dim) || Number.isNaN(other);
    });
    if (mask.ndim > inputs.ndim || !fits)
      throw new RangeError(
        `Layer "${this.name}": the mask must broadcast to the inputs. Received: mask of shape [${mask.shape}] and inputs of shape [${inputs.shape}].`,
      );
  }
}

registerBuiltins("keras.layers", { Softmax });
