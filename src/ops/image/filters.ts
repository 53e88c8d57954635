import { toTensor } from "../../core/convert.js";
import { isFloat, isInteger } from "../../core/dtype.js";
import { readNow } from "../../core/host.js";
import { defineOp } from "../../core/op.js";
import { standardizeDataFormat } from "../../core/settings.js";
import { anySymbolic } from "../../core/symbolic.js";
import { type Tensor, tensor, type TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { constant, toFloat } from "../support.js";
import { paddingAmounts } from "../windows.js";
import { castResult, type ImageOptions, onBatch, unstack } from "./support.js";

/** A bell of `size` samples that sums to 1: exp(-x² / 2σ²) around its middle. */
export function gaussianKernel(size: number, sigma: Tensor): Tensor {
  const positions = P.subtract(P.iota([size], 0, sigma.dtype), constant((size - 1) / 2, sigma));
  const scaled = P.divide(positions, sigma);
  const bell = P.exp(P.multiply(constant(-0.5, sigma), P.multiply(scaled, scaled)));
  return P.divide(bell, P.sum(bell, [0]));
}
/** Correlates every channel of a batch [batch, height, width, channels] with the same window [rows, columns]. */
function filterChannels(batch: Tensor, window: Tensor, padding: "valid" | "same"): Tensor {
  const channels = batch.shape[3]!;
  const [rows, columns] = window.shape as [number, number];
  const kernel = P.broadcastTo(P.reshape(window, [rows, columns, 1, 1]), [rows, columns, 1, channels]);
  return P.convolution(batch, kernel, {
    strides: [1, 1],
    padding: [paddingAmounts(padding, batch.shape[1]!, rows, 1), paddingAmounts(padding, batch.shape[2]!, columns, 1)],
    dilation: [1, 1],
    groups: channels,
  });
}
/** Correlates with the product of a column and a row, one after the other. */
export const filterSeparably = (batch: Tensor, column: Tensor, row: Tensor, padding: "valid" | "same"): Tensor =>
  filterChannels(
    filterChannels(batch, P.reshape(column, [column.size, 1]), padding),
    P.reshape(row, [1, row.size]),
    padding,
  );

export interface GaussianBlurOptions extends ImageOptions {
  /** Size of the window: across, then down. */
  kernelSize?: TensorLike | undefined;
  /** Standard deviations of the bell: across, then down. */
  sigma?: TensorLike | undefined;
}
const blur = defineOp(
  "image.GaussianBlur",
  (
    images: TensorLike,
    { kernelSize = [3, 3], sigma = [1, 1], dataFormat = null }: GaussianBlurOptions = {},
  ): Tensor => {
    const x = toTensor(images);
    const deviations = unstack(toTensor(sigma, toFloat(x).dtype), 0, 2) as [Tensor, Tensor];
    const sizes = [...(readNow(toTensor(kernelSize), "gaussianBlur")?.numbers() ?? [1, 1])];
    if (sizes.length !== 2 || !sizes.every((n) => Number.isInteger(n) && n > 0))
      throw new RangeError(
        `gaussianBlur: \`kernelSize\` must be two positive integers. Received: [${sizes.join(", ")}].`,
      );
    const [across, down] = sizes.map((n, i) => gaussianKernel(n, deviations[i]!)) as [Tensor, Tensor];
    return onBatch("gaussianBlur", x, dataFormat, (batch) =>
      castResult(filterSeparably(toFloat(batch), down, across, "same"), x.dtype, P.round),
    );
  },
);
/**
 * Images blurred by a Gaussian window; beyond the edges they are 0. As in Keras on JAX, images with values have their channels first
 * unless `dataFormat` says otherwise; symbolic ones follow the default format.
 */
export const gaussianBlur = (images: TensorLike, options: GaussianBlurOptions = {}): Tensor =>
  blur(images, {
    ...options,
    dataFormat: anySymbolic([images, options])
      ? standardizeDataFormat(options.dataFormat)
      : (options.dataFormat ?? "channels_first"),
  });

const SOBEL = { smooth: [1, 2, 1], slope: [-1, 0, 1] };
/** Slopes of a batch of images by the Sobel operator, down and across along a new last axis; beyond the edges images are 0. */
export const sobelEdges = defineOp(
  "image.SobelEdges",
  (images: TensorLike, { dataFormat = null }: ImageOptions = {}): Tensor => {
    const x = toTensor(images);
    if (x.ndim !== 4)
      throw new RangeError(`sobelEdges: expected a batch of images (rank 4). Received shape [${x.shape}].`);
    const wide = isFloat(x.dtype) ? x : toFloat(x);
    const smooth = P.cast(tensor(SOBEL.smooth), wide.dtype);
    const slope = P.cast(tensor(SOBEL.slope), wide.dtype);
    const edges = [
      [slope, smooth],
      [smooth, slope],
    ].map(([column, row]) => {
      const y = onBatch("sobelEdges", wide, dataFormat, (batch) => filterSeparably(batch, column!, row!, "same"));
      const narrow = isInteger(x.dtype) ? P.cast(P.cast(y, "int32"), x.dtype) : y;
      return P.reshape(narrow, [...y.shape, 1]);
    });
    return P.concatenate(edges, 4);
  },
);
