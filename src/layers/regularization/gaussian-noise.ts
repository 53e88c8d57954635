import { configure } from "../../config/configure.js";
import { float } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { add } from "../../ops/arithmetic.js";
import { normal } from "../../random/random.js";
import { RandomLayer, type RandomLayerOptions } from "./random-layer.js";

/** In training, adds normal noise of mean 0 and the given standard deviation. */
export class GaussianNoise extends configure(RandomLayer, "GaussianNoise", { stddev: float({ min: 0, max: 1 }) }) {
  constructor(stddev: number, options: RandomLayerOptions = {}) {
    super({ stddev, ...options });
  }
  protected override get draws(): boolean {
    return this.stddev > 0;
  }
  override call(inputs: Tensor, { training = false }: { training?: boolean } = {}): Tensor {
    if (!training || !this.seedGenerator) return inputs;
    const { stddev, computeDtype: dtype, seedGenerator: seed } = this;
    return add(inputs, normal(inputs.shape, { stddev, dtype, seed }));
  }
}

registerBuiltins("keras.layers", { GaussianNoise });
