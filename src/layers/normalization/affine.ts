import { bool } from "../../config/fields.js";
import { constraint } from "../../constraints/index.js";
import type { Shape } from "../../core/dtype.js";
import type { Variable } from "../../core/variable.js";
import { initializer } from "../../initializers/lookup.js";
import { regularizer } from "../../regularizers/index.js";
import type { WeightOptions } from "../base/weights.js";

/** Arguments of the factor gamma and the summand beta that follow a normalization. */
export const affineFields = {
  /** Whether to add beta. */
  center: bool(true),
  /** Whether to multiply by gamma. */
  scale: bool(true),
  betaInitializer: initializer("zeros"),
  gammaInitializer: initializer("ones"),
  betaRegularizer: regularizer(),
  gammaRegularizer: regularizer(),
  betaConstraint: constraint(),
  gammaConstraint: constraint(),
};
interface Affine {
  readonly gammaInitializer: WeightOptions["initializer"];
  readonly gammaRegularizer: WeightOptions["regularizer"];
  readonly gammaConstraint: WeightOptions["constraint"];
  readonly betaInitializer: WeightOptions["initializer"];
  readonly betaRegularizer: WeightOptions["regularizer"];
  readonly betaConstraint: WeightOptions["constraint"];
  addWeight(options: WeightOptions): Variable;
}
/** Makes gamma; normalizations compute in float32, so it is read as it is stored. */
export const addGamma = (layer: Affine, shape: Shape): Variable =>
  layer.addWeight({
    name: "gamma",
    shape,
    initializer: layer.gammaInitializer,
    regularizer: layer.gammaRegularizer,
    constraint: layer.gammaConstraint,
    autocast: false,
  });
/** Makes beta. */
export const addBeta = (layer: Affine, shape: Shape): Variable =>
  layer.addWeight({
    name: "beta",
    shape,
    initializer: layer.betaInitializer,
    regularizer: layer.betaRegularizer,
    constraint: layer.betaConstraint,
    autocast: false,
  });
