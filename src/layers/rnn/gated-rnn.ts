import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import type { Tensor } from "../../core/tensor.js";
import { InputSpec } from "../input-spec.js";
import { BaseRNN, type SequenceCallOptions, type SequenceOptions } from "./base-rnn.js";
import { assertNoCudnn, useCudnn } from "./cudnn.js";

const fields = { useCudnn: useCudnn() };
export interface GatedRNNOptions extends Omit<SequenceOptions, "activityRegularizer">, Options<typeof fields> {}

/** Base of recurrent layers whose cells have gates: along sequences [batch, steps, features]. */
export abstract class GatedRNN extends configure(BaseRNN, "GatedRNN", fields) {
  constructor(options: GatedRNNOptions) {
    super(options);
    this.inputSpec = new InputSpec({ ndim: 3 });
  }
  /**
   * Outputs [batch, units], or [batch, steps, units] with `returnSequences`, followed by the states with `returnState`. Throws when the
   * layer was told to use cuDNN.
   */
  override call(sequences: Tensor, initialState?: unknown, options?: SequenceCallOptions): unknown {
    assertNoCudnn(this, this.useCudnn);
    return super.call(sequences, initialState, options);
  }
}
