import { activation } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { bool, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { add } from "../../ops/arithmetic.js";
import { seed } from "../../random/seed-field.js";
import type { SeedGenerator } from "../../random/seed-generator.js";
import type { LayerOptions } from "../layer.js";
import { cellTrainingFields, initializerFields } from "./cell-fields.js";
import { generatorOf } from "./dropout-cell.js";
import { GatedCell } from "./gated-cell.js";

/** What a layer hands on to the cell it makes. */
export const simpleRNNCellFields = {
  /** Size of the state and of the output. */
  units: positiveInt(),
  /** Applied to the sum of the products; linear when null. */
  activation: activation("tanh"),
  useBias: bool(true),
  ...initializerFields,
  ...cellTrainingFields,
};
const fields = {
  ...simpleRNNCellFields,
  /** Makes dropout reproducible. */
  seed: seed(),
};
export interface SimpleRNNCellOptions extends LayerOptions, Options<typeof fields> {}

/** One step of a plain recurrence (Elman, 1990): `h' = activation(inputs · kernel + bias + h · recurrentKernel)`. */
export class SimpleRNNCell extends configure(GatedCell, "SimpleRNNCell", fields) {
  protected override readonly gates = 1;
  override readonly seedGenerator: SeedGenerator;

  constructor(units: number, options: SimpleRNNCellOptions = {}) {
    const generator = generatorOf(options.seed ?? null);
    super({ units, ...options });
    this.seedGenerator = generator;
  }
  override get stateSize(): number {
    return this.units;
  }
  protected override drops(rate: number): boolean {
    return rate > 0;
  }
  override advance(projected: Tensor, recurrent: Tensor): readonly Tensor[] {
    return [this.activation(add(projected, recurrent))];
  }
}

registerBuiltins("keras.layers", { SimpleRNNCell });
