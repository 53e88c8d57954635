import { configure } from "../../config/configure.js";
import { bool, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { seed } from "../../random/seed-field.js";
import { gateFields, implementationField, initializerFields, layerTrainingFields } from "./cell-fields.js";
import { cellArguments } from "./cell-arguments.js";
import { GatedRNN, type GatedRNNOptions } from "./gated-rnn.js";
import { GRUCell, gruCellFields } from "./gru-cell.js";

const fields = {
  /** Size of the outputs. */
  units: positiveInt(),
  ...gateFields,
  ...initializerFields,
  ...layerTrainingFields,
  /** Whether the reset gate scales the state's product, or the state before it is multiplied. */
  resetAfter: bool(true),
  /** Makes dropout reproducible. */
  seed: seed(),
  ...implementationField,
};
export interface GRUOptions extends GatedRNNOptions, Options<typeof fields> {}

/** Gated recurrent unit (Cho et al., 2014): `GRUCell` along sequences [batch, steps, features]. */
export class GRU extends configure(GatedRNN, "GRU", fields) {
  override readonly cell: GRUCell;

  constructor(units: number, options: GRUOptions = {}) {
    super({ units, ...options });
    this.cell = new GRUCell(units, cellArguments(this, gruCellFields, "gru_cell"));
  }
}

registerBuiltins("keras.layers", { GRU });
