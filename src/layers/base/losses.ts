import { isSpecMode } from "../../core/interpreter.js";
import { StatelessScope } from "../../core/stateless-scope.js";
import type { Tensor } from "../../core/tensor.js";
import type { Layer } from "../layer.js";
import { flattenLayers } from "./attributes.js";
import { STATE } from "./state.js";

/** Layers that hold losses: mostly none, so that calls need not search their sublayers for losses to clear. */
const holders = new Set<Layer>();

/** Keeps a scalar that `fit` adds to the loss, until the next outermost call. */
export function keepLoss(layer: Layer, loss: Tensor): void {
  if (isSpecMode()) return;
  const scope = StatelessScope.current.get();
  if (scope?.collectLosses) scope.losses.push(loss);
  layer[STATE].losses.push(loss);
  holders.add(layer);
}

/** Forgets the losses of the layer and all layers below it. */
export function clearLosses(layer: Layer): void {
  if (holders.size === 0) return;
  for (const one of flattenLayers(layer)) {
    if (!holders.delete(one)) continue;
    one[STATE].losses = [];
  }
}

/** Losses added in calls, then one for each trainable weight with a regularizer. */
export function collectLosses(layer: Layer): Tensor[] {
  const { lossesOverride } = layer[STATE];
  if (lossesOverride) return [...lossesOverride];
  const added = flattenLayers(layer).flatMap((one) => one[STATE].losses);
  const penalties = layer.trainableWeights.flatMap((weight) =>
    weight.regularizer ? [weight.regularizer(weight.value)] : [],
  );
  return [...added, ...penalties];
}
