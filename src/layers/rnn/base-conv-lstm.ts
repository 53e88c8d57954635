import { configure } from "../../config/configure.js";
import { type Arguments, type Options, positiveInt } from "../../config/fields.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import { seed } from "../../random/seed-field.js";
import { windowFields } from "../convolutional/conv-fields.js";
import { dataFormat } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { BaseRNN, type SequenceOptions } from "./base-rnn.js";
import { forgetBiasField, gateFields, initializerFields, layerTrainingFields } from "./cell-fields.js";
import { cellArguments } from "./cell-arguments.js";
import { ConvLSTMCell, convLSTMCellFields } from "./conv-lstm-cell.js";
import { generatorOf } from "./dropout-cell.js";

const fields = {
  /** Number of channels of the outputs. */
  filters: positiveInt(),
  ...windowFields(0),
  dataFormat: dataFormat(),
  ...gateFields,
  ...initializerFields,
  ...forgetBiasField,
  ...layerTrainingFields,
  /** Makes dropout reproducible. */
  seed: seed(),
};
export interface ConvLSTMOptions
  extends Omit<SequenceOptions, "activityRegularizer">, Omit<Options<typeof fields>, "kernelSize"> {}

/** Base of recurrent layers whose products are convolutions: sequences are [batch, steps, ...space, channels]. */
export abstract class BaseConvLSTM extends configure(BaseRNN, "BaseConvLSTM", fields) {
  override readonly cell: ConvLSTMCell;

  constructor(options: Arguments<typeof fields> & ConvLSTMOptions) {
    // Made first, as in Python, so that unseeded weights begin with the same values.
    const generator = generatorOf(options.seed ?? null);
    super(options);
    const { strides, dilationRate } = this;
    if (Math.max(...strides) > 1 && Math.max(...dilationRate) > 1)
      throw new RangeError(
        `Layer "${this.name}": strides above 1 cannot go with a dilation rate above 1. Received: strides=[${strides}] and dilationRate=[${dilationRate}].`,
      );
    this.cell = new ConvLSTMCell({ ...cellArguments(this, convLSTMCellFields, "conv_lstm_cell"), seed: generator });
    this.inputSpec = new InputSpec({ ndim: this.kernelSize.length + 3 });
  }
  override computeOutputShape(sequencesShape: SymbolicShape, _initialStateShape?: unknown): unknown {
    const [batch = null, steps = null, ...sample] = sequencesShape;
    const [shape, states] = this.cell.computeOutputShape([batch, ...sample]);
    const output = this.returnSequences ? [batch, steps, ...shape.slice(1)] : shape;
    return this.returnState ? [output, ...states] : output;
  }
}
