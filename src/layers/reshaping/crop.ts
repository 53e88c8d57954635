import type { Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import type { Border } from "./border.js";

/** Cuts `borders` off the given axes; throws when nothing would be left. */
export function crop(layer: string, x: Tensor, axes: readonly number[], borders: readonly Border[]): Tensor {
  const start = x.shape.map(() => 0);
  const limit = [...x.shape];
  axes.forEach((axis, i) => {
    const [before, after] = borders[i]!;
    if (before + after >= x.shape[axis]!)
      throw new RangeError(
        `Layer "${layer}": the cropping must be smaller than the inputs. Received: cropping [${borders.map((b) => `[${b}]`)}] for inputs of shape [${x.shape}].`,
      );
    start[axis] = before;
    limit[axis] = x.shape[axis]! - after;
  });
  return P.slice(x, start, limit);
}
