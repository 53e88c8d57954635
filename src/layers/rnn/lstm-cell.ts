import { configure } from "../../config/configure.js";
import { type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Shape } from "../../core/dtype.js";
import type { Tensor } from "../../core/tensor.js";
import type { InitializerFunction } from "../../initializers/lookup.js";
import { add } from "../../ops/arithmetic.js";
import { seed } from "../../random/seed-field.js";
import type { LayerOptions } from "../layer.js";
import {
  cellTrainingFields,
  forgetBiasField,
  gateFields,
  implementationField,
  initializerFields,
} from "./cell-fields.js";
import { generatorOf } from "./dropout-cell.js";
import { forgetBias } from "./forget-bias.js";
import { GatedCell } from "./gated-cell.js";
import { advanceMemory } from "./memory.js";

/** What a layer hands on to the cell it makes. */
export const lstmCellFields = {
  /** Size of each state and of the output. */
  units: positiveInt(),
  ...gateFields,
  ...forgetBiasField,
  ...initializerFields,
  ...cellTrainingFields,
  /** Makes dropout reproducible. */
  seed: seed(),
  ...implementationField,
};
export interface LSTMCellOptions extends LayerOptions, Options<typeof lstmCellFields> {}

/**
 * One step of a long short-term memory (Hochreiter & Schmidhuber, 1997): the states are the output h and the carry c. The gates, in the
 * kernels' order, are input, forget, candidate and output.
 */
export class LSTMCell extends configure(GatedCell, "LSTMCell", lstmCellFields) {
  protected override readonly gates = 4;
  override readonly seedGenerator = generatorOf(this.seed);

  constructor(units: number, options: LSTMCellOptions = {}) {
    super({ units, ...options });
  }
  override get stateSize(): readonly number[] {
    return [this.units, this.units];
  }
  protected override get splitsGates(): boolean {
    return this.implementation === 1 || this.recurrentDropout !== 0;
  }
  protected override get biasWeight(): { readonly shape: Shape; readonly initializer: InitializerFunction } {
    const initializer = this.unitForgetBias ? forgetBias(this.biasInitializer) : this.biasInitializer;
    return { shape: [4 * this.units], initializer };
  }
  override advance(projected: Tensor, recurrent: Tensor, [, carry]: readonly Tensor[]): readonly Tensor[] {
    return advanceMemory(this, add(projected, recurrent), carry!);
  }
}

registerBuiltins("keras.layers", { LSTMCell });
