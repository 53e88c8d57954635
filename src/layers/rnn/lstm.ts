import { configure } from "../../config/configure.js";
import { type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { regularizer } from "../../regularizers/index.js";
import { seed } from "../../random/seed-field.js";
import { BaseRNN, type SequenceCallOptions, type SequenceOptions } from "./base-rnn.js";
import {
  constraintFields,
  dropoutFields,
  gateFields,
  forgetBiasField,
  implementationField,
  initializerFields,
  regularizerFields,
} from "./cell-fields.js";
import { assertNoCudnn, useCudnn } from "./cudnn.js";
import { InputSpec } from "../input-spec.js";
import { cellArguments } from "./cell-arguments.js";
import { LSTMCell, lstmCellFields } from "./lstm-cell.js";

const fields = {
  /** Size of the outputs. */
  units: positiveInt(),
  ...gateFields,
  ...initializerFields,
  ...forgetBiasField,
  ...regularizerFields,
  activityRegularizer: regularizer(),
  ...constraintFields,
  ...dropoutFields,
  /** Makes dropout reproducible. */
  seed: seed(),
  useCudnn: useCudnn(),
  ...implementationField,
};
export interface LSTMOptions extends Omit<SequenceOptions, "activityRegularizer">, Options<typeof fields> {}

/** Long short-term memory (Hochreiter & Schmidhuber, 1997): `LSTMCell` along sequences [batch, steps, features]. */
export class LSTM extends configure(BaseRNN, "LSTM", fields) {
  override readonly cell: LSTMCell;

  constructor(units: number, options: LSTMOptions = {}) {
    super({ units, ...options });
    this.inputSpec = new InputSpec({ ndim: 3 });
    this.cell = new LSTMCell(units, cellArguments(this, lstmCellFields, "lstm_cell"));
  }
  override call(sequences: Tensor, initialState?: unknown, options?: SequenceCallOptions): unknown {
    assertNoCudnn(this, this.useCudnn);
    return super.call(sequences, initialState, options);
  }
}

registerBuiltins("keras.layers", { LSTM });
