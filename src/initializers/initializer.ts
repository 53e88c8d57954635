import { Configurable } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import type { DType, Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { makeDefaultSeed, type Seed } from "../random/seed-generator.js";
import { seed } from "../random/seed-field.js";

export interface InitializerCallOptions {
  /** Element type of the result; the default float when absent. */
  dtype?: DType | undefined;
}
export interface Initializer {
  (shape: Shape, options?: InitializerCallOptions): Tensor;
}
/** Gives weights their first values: a function of shape and dtype that can be saved. */
export class Initializer extends configure(Configurable, "Initializer", {}) {
  static override readonly module: string = "keras.initializers";
  /** The first values: what each initializer defines. */
  call(_shape: Shape, _options: InitializerCallOptions): Tensor {
    throw new TypeError(`${this.constructor.name} must define \`call(shape, { dtype })\`.`);
  }
  protected override invoke(shape: Shape, options: InitializerCallOptions = {}): Tensor {
    return this.call(shape, options);
  }
  /** A new initializer with the same arguments. */
  clone(): this {
    const cls = this.constructor as unknown as { fromConfig(config: object): unknown };
    return cls.fromConfig(this.getConfig()) as this;
  }
}

/** Base of initializers that draw: without a seed they draw one once, so that equal calls give equal values. */
export abstract class RandomInitializer extends configure(Initializer, "RandomInitializer", { seed: seed() }) {
  readonly #drawn: Seed;
  constructor(args: { seed?: Seed | undefined }) {
    super(args);
    this.#drawn = this.seed ?? makeDefaultSeed();
  }
  /** The seed of every draw. */
  protected get drawSeed(): Seed {
    return this.#drawn;
  }
}
