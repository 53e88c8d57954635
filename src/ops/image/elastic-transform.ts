import { toTensor } from "../../core/convert.js";
import { isFloat } from "../../core/dtype.js";
import { defineOp } from "../../core/op.js";
import { floatx } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { standardNormal } from "../../random/draws.js";
import { drawSeed, type SeedOrKey } from "../../random/seed-generator.js";
import { constant } from "../support.js";
import { filterSeparably, gaussianKernel } from "./filters.js";
import { type ImageOptions, onBatch } from "./support.js";
import { pixelGrid, warp, type WarpOptions, warping } from "./warp.js";

export interface ElasticTransformOptions extends ImageOptions, WarpOptions {
  /** How far pixels move. */
  alpha?: number | undefined;
  /** How smoothly neighbours move together, in pixels. */
  sigma?: number | undefined;
  seed?: SeedOrKey | undefined;
}
/**
 * Images distorted by a smooth random field (Simard, Steinkraus & Platt, "Best practices for convolutional neural networks", 2003). As in
 * Keras, pixels move equally far down and across.
 */
export const elasticTransform = defineOp(
  "image.ElasticTransform",
  (images: TensorLike, options: ElasticTransformOptions = {}): Tensor => {
    const { alpha = 20, sigma = 5, seed = null, dataFormat = null, fillMode = "reflect", ...rest } = options;
    const how = warping("elasticTransform", { ...rest, fillMode });
    return onBatch("elasticTransform", toTensor(images), dataFormat, (batch) => {
      const [count, height, width] = batch.shape as [number, number, number];
      const dtype = isFloat(batch.dtype) ? batch.dtype : floatx();
      const noise = standardNormal(drawSeed(seed), [count, height, width], dtype);
      const bell = gaussianKernel(Math.floor(6 * sigma) | 1, P.full([], sigma, dtype));
      const field = P.reshape(P.multiply(noise, constant(sigma, noise)), [count, height, width, 1]);
      const smooth = P.reshape(filterSeparably(field, bell, bell, "same"), [count, height, width]);
      const shift = P.cast(P.multiply(smooth, constant(alpha, smooth)), "float32");
      const [rows, columns] = pixelGrid(height, width);
      return warp(batch, P.add(rows, shift), P.add(columns, shift), how);
    });
  },
);
