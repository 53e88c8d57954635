import { activation } from "../../activations/index.js";
import { bool, derived, float, oneOf } from "../../config/fields.js";
import { constraint } from "../../constraints/index.js";
import { initializer } from "../../initializers/lookup.js";
import { regularizer } from "../../regularizers/index.js";

/** A share of elements; what lies outside of [0, 1] becomes the nearer end, as in Python. */
/* @__NO_SIDE_EFFECTS__ */
const share = () => derived(float(0), (value) => Math.min(1, Math.max(0, value)));

/** The functions of a cell with gates. */
export const gateFields = {
  /** Applied to candidates, and to the outputs of cells with a carry; linear when null. */
  activation: activation("tanh"),
  /** Applied to the gates; linear when null. */
  recurrentActivation: activation("sigmoid"),
  useBias: bool(true),
};
/** How the weights of a cell begin. */
export const initializerFields = {
  /** Of the weights that inputs are multiplied by. */
  kernelInitializer: initializer("glorot_uniform"),
  /** Of the weights that the state is multiplied by. */
  recurrentInitializer: initializer("orthogonal"),
  biasInitializer: initializer("zeros"),
};
/** Penalties on the weights of a cell. */
const regularizerFields = {
  kernelRegularizer: regularizer(),
  recurrentRegularizer: regularizer(),
  biasRegularizer: regularizer(),
};
/** What keeps the weights of a cell in bounds. */
const constraintFields = {
  kernelConstraint: constraint(),
  recurrentConstraint: constraint(),
  biasConstraint: constraint(),
};
/** What training leaves out, the same at each step of a call. */
const dropoutFields = {
  /** Share of the inputs. */
  dropout: share(),
  /** Share of the state. */
  recurrentDropout: share(),
};
/** What follows the initializers in the table of a cell. */
export const cellTrainingFields = {
  ...regularizerFields,
  ...constraintFields,
  ...dropoutFields,
};
/** What follows the initializers in the table of a layer. */
export const layerTrainingFields = {
  ...regularizerFields,
  activityRegularizer: regularizer(),
  ...constraintFields,
  ...dropoutFields,
};
/** The bias of forget gates begins with 1 (Jozefowicz et al., 2015). */
export const forgetBiasField = { unitForgetBias: bool(true) };
/** How gates are multiplied. */
export const implementationField = {
  /** 1 multiplies gate by gate, with dropout masks for each; 2 all at once. Dropout of the state needs 1. */
  implementation: oneOf([1, 2], 2, { saved: false }),
};
