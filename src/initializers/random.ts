import { configure } from "../config/configure.js";
import { float, type Options } from "../config/fields.js";
import type { Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import * as random from "../random/random.js";
import type { Seed } from "../random/seed-generator.js";
import { type InitializerCallOptions, RandomInitializer } from "./initializer.js";

const normalFields = { mean: float(0), stddev: float(0.05) };
export interface RandomNormalOptions extends Options<typeof normalFields> {
  seed?: Seed | undefined;
}
/** Draws from a normal distribution. */
export class RandomNormal extends configure(RandomInitializer, "RandomNormal", normalFields) {
  constructor(options: RandomNormalOptions = {}) {
    super(options);
  }
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    return random.normal(shape, { mean: this.mean, stddev: this.stddev, seed: this.drawSeed, dtype });
  }
}
/** Draws from a normal distribution cut at two standard deviations. */
export class TruncatedNormal extends configure(RandomInitializer, "TruncatedNormal", normalFields) {
  constructor(options: RandomNormalOptions = {}) {
    super(options);
  }
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    return random.truncatedNormal(shape, { mean: this.mean, stddev: this.stddev, seed: this.drawSeed, dtype });
  }
}

const uniformFields = { minval: float(-0.05), maxval: float(0.05) };
export interface RandomUniformOptions extends Options<typeof uniformFields> {
  seed?: Seed | undefined;
}
/** Draws from a uniform distribution. */
export class RandomUniform extends configure(RandomInitializer, "RandomUniform", uniformFields) {
  constructor(options: RandomUniformOptions = {}) {
    super(options);
  }
  override call(shape: Shape, { dtype }: InitializerCallOptions): Tensor {
    return random.uniform(shape, { minval: this.minval, maxval: this.maxval, seed: this.drawSeed, dtype });
  }
}
