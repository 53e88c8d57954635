import { promoted, toTensor } from "../../core/convert.js";
import { isFloat } from "../../core/dtype.js";
import { defineOp } from "../../core/op.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { productOf, toFloat } from "../support.js";
import { fillModes, interpolate, type FillMode } from "./interpolate.js";
import { choice, stack, unstack } from "./support.js";

export interface MapCoordinatesOptions {
  /** What lies outside: "constant", "nearest", "wrap", "mirror" or "reflect". */
  fillMode?: string | undefined;
  fillValue?: number | undefined;
}
/** Values of `inputs` at `coordinates` [rank, ...shape] (or a list of such rows), counted in elements: of the nearest element (order 0) or linear between them (1). */
export const mapCoordinates = defineOp(
  "image.MapCoordinates",
  (
    inputs: TensorLike,
    coordinates: TensorLike | readonly TensorLike[],
    order: number,
    { fillMode = "constant", fillValue = 0 }: MapCoordinatesOptions = {},
  ): Tensor => {
    const x = toTensor(inputs);
    const given = Array.isArray(coordinates)
      ? stack(promoted(coordinates as readonly TensorLike[]), 0)
      : toTensor(coordinates as TensorLike);
    if (given.ndim < 2)
      throw new RangeError(`mapCoordinates: coordinates must have rank 2 or more. Received shape [${given.shape}].`);
    if (given.shape[0] !== x.ndim)
      throw new RangeError(
        `mapCoordinates: coordinates need one row for each axis of the inputs [${x.shape}]. Received shape [${given.shape}].`,
      );
    choice("mapCoordinates", "fillMode", fillMode, fillModes);
    if (order !== 0 && order !== 1)
      throw new RangeError(`mapCoordinates: the order must be 0 or 1. Received: ${String(order)}.`);
    const places = order === 1 || isFloat(given.dtype) ? toFloat(given) : P.cast(given, "int32");
    const axes = unstack(places, 0).map((coordinate, i) => ({
      coordinates: coordinate,
      size: x.shape[i]!,
      stride: productOf(x.shape.slice(i + 1)),
    }));
    return interpolate(P.reshape(x, [x.size]), null, axes, { order, fillMode: fillMode as FillMode, fillValue });
  },
  { static: ["order"] },
);
