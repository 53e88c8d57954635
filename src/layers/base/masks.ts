import { KerasTensor } from "../../core/keras-tensor.js";
import { Tensor } from "../../core/tensor.js";
import { flatten, mapStructure } from "../../tree/index.js";
import { warn } from "../../utils/print-warning.js";
import type { Layer } from "../layer.js";

type Maskable = Tensor | KerasTensor;
const isMaskable = (x: unknown): x is Maskable => x instanceof Tensor || x instanceof KerasTensor;

/** The masks of the tensors in `value`, in its structure; null where there is none. */
export function masksOf(value: unknown): unknown {
  if (isMaskable(value)) return value.kerasMask;
  if (value === null || value === undefined) return null;
  return mapStructure((x: unknown) => (isMaskable(x) ? x.kerasMask : null), value);
}
/** Whether a mask is among the (nested) masks. */
export const anyMask = (masks: unknown): boolean =>
  masks !== null && masks !== undefined && flatten(masks).some((mask) => mask !== null && mask !== undefined);

/** Gives outputs without a mask the one the layer computes for them; or warns that a mask ends here. */
export function propagateMasks(layer: Layer, firstArgument: unknown, outputs: unknown, previousMask: unknown): void {
  if (!layer.supportsMasking) {
    if (anyMask(previousMask)) warnDropped(layer);
    return;
  }
  if (outputs instanceof Tensor && previousMask === null && !layer.computesMask) return;
  const flat = flatten(outputs).filter(isMaskable);
  if (flat.every((y) => y.kerasMask !== null)) return;
  const masks = layer.computeMask(firstArgument, previousMask);
  if (masks === null || masks === undefined) return;
  flatten(masks).forEach((mask, i) => {
    const y = flat[i];
    if (y && mask !== null && mask !== undefined && y.kerasMask === null) y.kerasMask = mask as Tensor & KerasTensor;
  });
}

const warned = new WeakSet<Layer>();
function warnDropped(layer: Layer): void {
  if (warned.has(layer)) return;
  warned.add(layer);
  warn(
    `Layer "${layer.name}" (of type ${(layer.constructor as typeof Layer).className}) was passed an input with a mask, ` +
      "but does not support masking: the mask ends here, and layers downstream will not see it.",
  );
}
