import type { Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";

/** Swaps the axes of batch and steps. */
export const stepsFirst = (x: Tensor): Tensor => P.transpose(x, [1, 0, ...x.shape.slice(2).map((_, i) => i + 2)]);

/** The last step of [steps, ...]. */
export function lastOf(x: Tensor): Tensor {
  const [steps, ...rest] = x.shape as [number, ...number[]];
  const from = rest.map(() => 0);
  return P.reshape(P.slice(x, [steps - 1, ...from], [steps, ...rest]), rest);
}

/** A mask [batch, steps] or [batch, steps, ...] as bool [steps, batch, 1]: a step counts where any of its elements does. */
export function stepMask(mask: Tensor | null): Tensor | null {
  if (!mask) return null;
  const valid = P.cast(mask, "bool");
  const [batch, steps] = valid.shape as [number, number];
  const flat =
    valid.ndim === 2
      ? valid
      : P.any(
          valid,
          valid.shape.slice(2).map((_, i) => i + 2),
        );
  return P.reshape(P.transpose(flat, [1, 0]), [steps, batch, 1]);
}
