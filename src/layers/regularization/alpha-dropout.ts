import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { add, multiply, subtract } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { greaterEqual } from "../../ops/logic.js";
import { uniform } from "../../random/random.js";
import { noiseShapeField, rateField } from "./dropout.js";
import { RandomLayer, type RandomLayerOptions } from "./random-layer.js";

const fields = { ...rateField, ...noiseShapeField };
export interface AlphaDropoutOptions extends RandomLayerOptions, Omit<Options<typeof fields>, "rate"> {}

/** The value selu approaches for large negative inputs (Klambauer et al., 2017). */
const lowest = -1.6732632423543772 * 1.0507009873554805;

/** In training, sets a share of the elements to the lowest value of selu, and shifts and scales so that mean and variance stay. */
export class AlphaDropout extends configure(RandomLayer, "AlphaDropout", fields) {
  constructor(rate: number, options: AlphaDropoutOptions = {}) {
    super({ rate, ...options });
  }
  protected override get draws(): boolean {
    return this.rate > 0;
  }
  override call(inputs: Tensor, { training = false }: { training?: boolean } = {}): Tensor {
    if (!training || !this.seedGenerator) return inputs;
    const { rate, noiseShape } = this;
    const shape = noiseShape ? noiseShape.map((dim, i) => dim ?? inputs.shape[i]!) : inputs.shape;
    const kept = cast(greaterEqual(uniform(shape, { seed: this.seedGenerator }), rate), inputs.dtype);
    const scale = ((1 - rate) * (1 + rate * lowest ** 2)) ** -0.5;
    const shift = -scale * lowest * rate;
    const dropped = add(multiply(inputs, kept), multiply(lowest, subtract(1, kept)));
    return add(multiply(scale, dropped), shift);
  }
}

registerBuiltins("keras.layers", { AlphaDropout });
