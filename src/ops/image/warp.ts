import type { Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { type FillMode, fillModes, interpolate, interpolationOrders } from "./interpolate.js";
import { choice } from "./support.js";

export interface WarpOptions {
  /** "nearest" or "bilinear". */
  interpolation?: string | undefined;
  /** What lies outside an image: "constant", "nearest", "wrap", "mirror" or "reflect". */
  fillMode?: string | undefined;
  fillValue?: number | undefined;
}
/** Options as `warp` takes them; throws on names it does not know. */
export function warping(
  op: string,
  { interpolation = "bilinear", fillMode = "constant", fillValue = 0 }: WarpOptions,
): Parameters<typeof interpolate>[3] {
  const order = choice(op, "interpolation", interpolation, interpolationOrders);
  choice(op, "fillMode", fillMode, fillModes);
  return { order, fillMode: fillMode as FillMode, fillValue };
}
/** Batches of images [batch, height, width, channels] read at the rows and columns [batch, ...shape]: [batch, ...shape, channels]. */
export function warp(images: Tensor, rows: Tensor, columns: Tensor, how: Parameters<typeof interpolate>[3]): Tensor {
  const [batch, height, width, channels] = images.shape as [number, number, number, number];
  const first = P.multiply(
    P.iota([batch, ...rows.shape.slice(1).map(() => 1)], 0, "int32"),
    P.full([], height * width, "int32"),
  );
  return interpolate(
    P.reshape(images, [batch * height * width, channels]),
    first,
    [
      { coordinates: rows, size: height, stride: width },
      { coordinates: columns, size: width, stride: 1 },
    ],
    how,
  );
}
/** Row and column numbers of the pixels of an image, as floats [1, height, 1] and [1, 1, width]. */
export const pixelGrid = (height: number, width: number): readonly [rows: Tensor, columns: Tensor] => [
  P.iota([1, height, 1], 1, "float32"),
  P.iota([1, 1, width], 2, "float32"),
];
