import { configure } from "../../config/configure.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { multiply } from "../../ops/arithmetic.js";
import { normal } from "../../random/random.js";
import { rateField } from "./dropout.js";
import { RandomLayer, type RandomLayerOptions } from "./random-layer.js";

/** In training, multiplies by normal noise of mean 1 and the variance that dropout of `rate` has. */
export class GaussianDropout extends configure(RandomLayer, "GaussianDropout", rateField) {
  constructor(rate: number, options: RandomLayerOptions = {}) {
    super({ rate, ...options });
  }
  protected override get draws(): boolean {
    return this.rate > 0;
  }
  override call(inputs: Tensor, { training = false }: { training?: boolean } = {}): Tensor {
    if (!training || !this.seedGenerator) return inputs;
    const stddev = Math.sqrt(this.rate / (1 - this.rate));
    const { computeDtype: dtype, seedGenerator: seed } = this;
    return multiply(inputs, normal(inputs.shape, { mean: 1, stddev, dtype, seed }));
  }
}

registerBuiltins("keras.layers", { GaussianDropout });
