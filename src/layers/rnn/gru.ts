import { configure } from "../../config/configure.js";
import { bool, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { Tensor } from "../../core/tensor.js";
import { regularizer } from "../../regularizers/index.js";
import { seed } from "../../random/seed-field.js";
import { BaseRNN, type SequenceCallOptions, type SequenceOptions } from "./base-rnn.js";
import {
  constraintFields,
  dropoutFields,
  gateFields,
  implementationField,
  initializerFields,
  regularizerFields,
} from "./cell-fields.js";
import { assertNoCudnn, useCudnn } from "./cudnn.js";
import { InputSpec } from "../input-spec.js";
import { cellArguments } from "./cell-arguments.js";
import { GRUCell, gruCellFields } from "./gru-cell.js";

const fields = {
  /** Size of the outputs. */
  units: positiveInt(),
  ...gateFields,
  ...initializerFields,
  ...regularizerFields,
  activityRegularizer: regularizer(),
  ...constraintFields,
  ...dropoutFields,
  /** Whether the reset gate scales the state's product, or the state before it is multiplied. */
  resetAfter: bool(true),
  /** Makes dropout reproducible. */
  seed: seed(),
  useCudnn: useCudnn(),
  ...implementationField,
};
export interface GRUOptions extends Omit<SequenceOptions, "activityRegularizer">, Options<typeof fields> {}

/** Gated recurrent unit (Cho et al., 2014): `GRUCell` along sequences [batch, steps, features]. */
export class GRU extends configure(BaseRNN, "GRU", fields) {
  override readonly cell: GRUCell;

  constructor(units: number, options: GRUOptions = {}) {
    super({ units, ...options });
    this.inputSpec = new InputSpec({ ndim: 3 });
    this.cell = new GRUCell(units, cellArguments(this, gruCellFields, "gru_cell"));
  }
  override call(sequences: Tensor, initialState?: unknown, options?: SequenceCallOptions): unknown {
    assertNoCudnn(this, this.useCudnn);
    return super.call(sequences, initialState, options);
  }
}

registerBuiltins("keras.layers", { GRU });
