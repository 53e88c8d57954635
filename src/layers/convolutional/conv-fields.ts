import { activation } from "../../activations/index.js";
import { bool, ints, oneOf } from "../../config/fields.js";
import { constraint } from "../../constraints/index.js";
import { initializer } from "../../initializers/lookup.js";
import { regularizer } from "../../regularizers/index.js";
import { dataFormat } from "../data-format.js";

/** How far windows reach beyond the inputs: "causal" pads in front only, so that no output sees later steps. */
export type ConvPadding = "valid" | "same" | "causal";

/** Arguments about windows over `rank` spatial axes. */
/* @__NO_SIDE_EFFECTS__ */
export const windowFields = (rank: number, paddings: readonly ConvPadding[] = ["valid", "same"]) => ({
  /** Size of the window, for all spatial axes or each. */
  kernelSize: ints(rank),
  strides: ints(rank, 1),
  /** Distances of the window's taps. */
  dilationRate: ints(rank, 1),
  padding: oneOf<ConvPadding>(paddings, "valid", { lowercase: true }),
});
/** Arguments that all convolutions share, whatever their kernels are. */
export const commonFields = {
  dataFormat: dataFormat(),
  /** Applied to the output; linear when left out. */
  activation: activation(null),
  useBias: bool(true),
  biasInitializer: initializer("zeros"),
  biasRegularizer: regularizer(),
  activityRegularizer: regularizer(),
  biasConstraint: constraint(),
};
/** Arguments of the one kernel of plain and transposed convolutions. */
export const kernelFields = {
  kernelInitializer: initializer("glorot_uniform"),
  kernelRegularizer: regularizer(),
  kernelConstraint: constraint(),
};
/** Arguments of the kernel that treats every channel on its own. */
export const depthwiseFields = {
  depthwiseInitializer: initializer("glorot_uniform"),
  depthwiseRegularizer: regularizer(),
  depthwiseConstraint: constraint(),
};
