import { activation } from "../../activations/index.js";
import { configure } from "../../config/configure.js";
import { bool, optional, type Options, positiveInt } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { seed } from "../../random/seed-field.js";
import { BaseRNN, type SequenceOptions } from "./base-rnn.js";
import { initializerFields, layerTrainingFields } from "./cell-fields.js";
import { generatorOf } from "./dropout-cell.js";
import { InputSpec } from "../input-spec.js";
import { cellArguments } from "./cell-arguments.js";
import { SimpleRNNCell, simpleRNNCellFields } from "./simple-rnn-cell.js";

const fields = {
  /** Size of the outputs. */
  units: positiveInt(),
  /** Applied to the sum of the products; linear when null. */
  activation: activation("tanh"),
  useBias: bool(true),
  ...initializerFields,
  ...layerTrainingFields,
  /** Makes dropout reproducible; Python does not save it. */
  seed: optional(seed(), null, { saved: false }),
};
export interface SimpleRNNOptions extends Omit<SequenceOptions, "activityRegularizer">, Options<typeof fields> {}

/** Plain recurrent layer (Elman, 1990): `SimpleRNNCell` along sequences [batch, steps, features]. */
export class SimpleRNN extends configure(BaseRNN, "SimpleRNN", fields) {
  override readonly cell: SimpleRNNCell;

  constructor(units: number, options: SimpleRNNOptions = {}) {
    // Made first, as in Python, so that unseeded weights begin with the same values.
    const generator = generatorOf(options.seed ?? null);
    super({ units, ...options });
    this.inputSpec = new InputSpec({ ndim: 3 });
    this.cell = new SimpleRNNCell(units, {
      ...cellArguments(this, simpleRNNCellFields, "simple_rnn_cell"),
      seed: generator,
    });
  }
}

registerBuiltins("keras.layers", { SimpleRNN });
