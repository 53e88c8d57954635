import { toTensor } from "../../core/convert.js";
import { defineOp } from "../../core/op.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { toFloat } from "../support.js";
import { type ImageOptions, onBatch } from "./support.js";
import { pixelGrid, warp, type WarpOptions, warping } from "./warp.js";

export interface AffineTransformOptions extends ImageOptions, WarpOptions {}
/**
 * Images whose pixel (x, y) comes from (a0 x + a1 y + a2, b0 x + b1 y + b2) of the input. `transform` holds [a0, a1, a2, b0, b1, b2, c0, c1]
 * for all images or each; c0 and c1 count as 0.
 */
export const affineTransform = defineOp(
  "image.AffineTransform",
  (images: TensorLike, transform: TensorLike, options: AffineTransformOptions = {}): Tensor => {
    const how = warping("affineTransform", options);
    const matrix = toFloat(transform);
    if ((matrix.ndim !== 1 && matrix.ndim !== 2) || matrix.shape.at(-1) !== 8)
      throw new RangeError(
        `affineTransform: \`transform\` must be of shape [8] or [batch, 8]. Received shape [${matrix.shape}].`,
      );
    return onBatch("affineTransform", toTensor(images), options.dataFormat, (batch) => {
      const [count, height, width] = batch.shape as [number, number, number];
      const rowsOf = matrix.ndim === 1 ? 1 : matrix.shape[0]!;
      const table = P.cast(P.reshape(matrix, [rowsOf, 8]), "float32");
      const column = (i: number): Tensor => P.reshape(P.slice(table, [0, i], [rowsOf, i + 1]), [rowsOf, 1, 1]);
      const [y, x] = pixelGrid(height, width);
      const moved = (i: number): Tensor =>
        P.broadcastTo(P.add(P.add(P.multiply(column(i), x), P.multiply(column(i + 1), y)), column(i + 2)), [
          count,
          height,
          width,
        ]);
      return warp(batch, moved(3), moved(0), how);
    });
  },
);
