import type { SymbolicShape } from "../../core/keras-tensor.js";
import { showShape } from "../base/shapes.js";

/** The axes as they are given, in ascending order. */
export const asAxes = (axis: number | readonly number[]): readonly number[] =>
  typeof axis === "number" ? [axis] : [...axis].sort((a, b) => a - b);

/** Sizes of `axes`; throws where there is no such axis or its size is unknown. */
export function sizesOf(layer: string, axes: readonly number[], inputShape: SymbolicShape): number[] {
  return axes.map((axis) => {
    const size = inputShape.at(axis);
    if (axis >= inputShape.length || axis < -inputShape.length || size === null || size === undefined)
      throw new RangeError(
        `Layer "${layer}" normalizes axis ${axis}, which must exist and have a known size. Received input shape: ${showShape(inputShape)}.`,
      );
    return size;
  });
}
