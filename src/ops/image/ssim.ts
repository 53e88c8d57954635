import { toTensor } from "../../core/convert.js";
import { defineOp } from "../../core/op.js";
import { standardizeDataFormat } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { mean } from "../reductions.js";
import { constant, toFloat } from "../support.js";
import { filterSeparably, gaussianKernel } from "./filters.js";
import { checkImages, type ImageOptions } from "./support.js";

export interface SsimOptions extends ImageOptions {
  /** Distance between the smallest and the largest value of a pixel. */
  maxVal?: number | undefined;
  /** Size of the Gaussian window, odd. */
  filterSize?: number | undefined;
  /** Its standard deviation. */
  filterSigma?: number | undefined;
  /** Keeps the comparison of brightness stable. */
  k1?: number | undefined;
  /** Keeps the comparison of contrast stable. */
  k2?: number | undefined;
}
/**
 * Structural similarity of images (Wang, Bovik, Sheikh & Simoncelli, "Image quality assessment: from error visibility to structural
 * similarity", 2004): one number in [-1, 1] for each pair, 1 where they are equal.
 */
export const ssim = defineOp(
  "image.SSIM",
  (
    image1: TensorLike,
    image2: TensorLike,
    { maxVal = 1, filterSize = 11, filterSigma = 1.5, k1 = 0.01, k2 = 0.03, dataFormat = null }: SsimOptions = {},
  ): Tensor => {
    const given = toTensor(image1);
    const other = toTensor(image2);
    checkImages("ssim", given, "image1");
    checkImages("ssim", other, "image2");
    const first = standardizeDataFormat(dataFormat) === "channels_first";
    const { dtype } = toFloat(given);
    const batched = (x: Tensor): Tensor => {
      const wide = P.cast(x, dtype);
      const batch = x.ndim === 3 ? P.reshape(wide, [1, ...x.shape]) : wide;
      return first ? P.transpose(batch, [0, 2, 3, 1]) : batch;
    };
    const [a, b] = [batched(given), batched(other)];
    const bell = gaussianKernel(filterSize, P.full([], filterSigma, dtype));
    const blurred = (x: Tensor): Tensor => filterSeparably(x, bell, bell, "valid");
    const number = (value: number): Tensor => constant(value, a);
    const [c1, c2] = [number((k1 * maxVal) ** 2), number((k2 * maxVal) ** 2)];
    const [meanA, meanB] = [blurred(a), blurred(b)];
    const [squareA, squareB, product] = [P.multiply(meanA, meanA), P.multiply(meanB, meanB), P.multiply(meanA, meanB)];
    const varianceA = P.subtract(blurred(P.multiply(a, a)), squareA);
    const varianceB = P.subtract(blurred(P.multiply(b, b)), squareB);
    const covariance = P.subtract(blurred(P.multiply(a, b)), product);
    const twice = (x: Tensor): Tensor => P.multiply(number(2), x);
    const similarity = P.divide(
      P.multiply(P.add(twice(product), c1), P.add(twice(covariance), c2)),
      P.multiply(P.add(P.add(squareA, squareB), c1), P.add(P.add(varianceA, varianceB), c2)),
    );
    const perImage = mean(mean(similarity, { axis: [1, 2] }), { axis: -1 });
    return P.cast(given.ndim === 3 ? P.reshape(perImage, []) : perImage, given.dtype);
  },
);
