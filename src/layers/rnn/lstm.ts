import { configure } from "../../config/configure.js";
import { type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { seed } from "../../random/seed-field.js";
import {
  forgetBiasField,
  gateFields,
  implementationField,
  initializerFields,
  layerTrainingFields,
} from "./cell-fields.js";
import { cellArguments } from "./cell-arguments.js";
import { GatedRNN, type GatedRNNOptions } from "./gated-rnn.js";
import { LSTMCell, lstmCellFields } from "./lstm-cell.js";

const fields = {
  /** Size of the outputs. */
  units: positiveInt(),
  ...gateFields,
  ...initializerFields,
  ...forgetBiasField,
  ...layerTrainingFields,
  /** Makes dropout reproducible. */
  seed: seed(),
  ...implementationField,
};
export interface LSTMOptions extends GatedRNNOptions, Options<typeof fields> {}

/** Long short-term memory (Hochreiter & Schmidhuber, 1997): `LSTMCell` along sequences [batch, steps, features]. */
export class LSTM extends configure(GatedRNN, "LSTM", fields) {
  override readonly cell: LSTMCell;

  constructor(units: number, options: LSTMOptions = {}) {
    super({ units, ...options });
    this.cell = new LSTMCell(units, cellArguments(this, lstmCellFields, "lstm_cell"));
  }
}

registerBuiltins("keras.layers", { LSTM });
