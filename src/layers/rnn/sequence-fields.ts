import { bool } from "../../config/fields.js";

/** How layers go along a sequence. */
export const sequenceFields = {
  /** Whether to return the outputs of all steps, [batch, steps, ...], instead of the last one. */
  returnSequences: bool(false),
  /** Whether to return the last states as well: [outputs, ...states]. */
  returnState: bool(false),
  /** Whether to begin with the last step; outputs come in the order in which steps were made. */
  goBackwards: bool(false),
  /** Whether a call begins with the states that the call before ended with, sample by sample. */
  stateful: bool(false),
  /** Whether to write out every step instead of running a loop: for short sequences of known length. */
  unroll: bool(false),
  /** Whether the output of a masked step is zero; otherwise it is that of the step before. */
  zeroOutputForMask: bool(false),
};
