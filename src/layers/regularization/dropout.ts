import { configure } from "../../config/configure.js";
import { derived, float, optional, type Options, shape } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { dropout } from "../../random/random.js";
import { RandomLayer, type RandomLayerOptions } from "./random-layer.js";

/** A share of elements. */
export const rateField = { rate: float({ min: 0, max: 1 }) };
/** A shape of noise: axes of size 1 share one draw, null takes the size of the inputs. */
export const noiseShapeField = {
  noiseShape: optional(
    derived(shape(), (value, name) => {
      if (value.includes(0)) throw wrongValue(name, "an array of positive integers and nulls", value);
      return value;
    }),
  ),
};

const fields = { ...rateField, ...noiseShapeField };
export interface DropoutOptions extends RandomLayerOptions, Omit<Options<typeof fields>, "rate"> {}

/** In training, sets a share of the elements to 0 and scales the others so that their sum stays the same on average. */
export class Dropout extends configure(RandomLayer, "Dropout", fields) {
  constructor(rate: number, options: DropoutOptions = {}) {
    super({ rate, ...options });
  }
  /** The shape of the noise; that of the inputs when null. */
  protected noiseShapeFor(_inputs: Tensor): readonly (number | null)[] | null {
    return this.noiseShape;
  }
  protected override get draws(): boolean {
    return this.rate > 0;
  }
  override call(inputs: Tensor, { training = false }: { training?: boolean } = {}): Tensor {
    if (!training || !this.seedGenerator) return inputs;
    return dropout(inputs, this.rate, { noiseShape: this.noiseShapeFor(inputs), seed: this.seedGenerator });
  }
}

registerBuiltins("keras.layers", { Dropout });
