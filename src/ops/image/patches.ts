import { toTensor } from "../../core/convert.js";
import { defineOp } from "../../core/op.js";
import { standardizeDataFormat } from "../../core/settings.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { productOf } from "../support.js";
import { paddingAmounts, paddingOf, perAxis } from "../windows.js";
import { windowCount } from "../../primitives/convolution.js";
import type { ImageOptions } from "./support.js";

type Sizes = number | readonly number[];
/** The size of a patch along each axis: two for images, three for volumes. */
function patchSize(op: string, size: Sizes): readonly number[] {
  const sizes = typeof size === "number" ? [size, size] : size;
  if (!Array.isArray(sizes))
    throw new TypeError(`${op}: \`size\` must be an integer or a list of integers. Received: ${JSON.stringify(size)}.`);
  if (sizes.length !== 2 && sizes.length !== 3)
    throw new RangeError(`${op}: \`size\` must have 2 or 3 numbers. Received: ${JSON.stringify(size)}.`);
  return perAxis(op, "size", sizes, sizes.length);
}
/** Runs `body` on a batch of images or volumes, channels last. */
function onBatch(op: string, x: Tensor, rank: number, dataFormat: string | null, body: (x: Tensor) => Tensor): Tensor {
  if (x.ndim !== rank + 1 && x.ndim !== rank + 2)
    throw new RangeError(
      `${op}: expected a tensor of rank ${rank + 1} or, for a batch, ${rank + 2}. Received shape [${x.shape}].`,
    );
  const single = x.ndim === rank + 1;
  const batch = single ? P.reshape(x, [1, ...x.shape]) : x;
  const spatial = Array.from({ length: rank }, (_, i) => i + 1);
  const first = standardizeDataFormat(dataFormat) === "channels_first";
  const y = body(first ? P.transpose(batch, [0, ...spatial.map((i) => i + 1), 1]) : batch);
  const back = first ? P.transpose(y, [0, rank + 1, ...spatial]) : y;
  return single ? P.reshape(back, back.shape.slice(1)) : back;
}
/** All places in a patch, in row-major order. */
const placesIn = (size: readonly number[]): number[][] =>
  size.reduce<number[][]>((places, n) => places.flatMap((p) => Array.from({ length: n }, (_, i) => [...p, i])), [[]]);

export interface ExtractPatchesOptions extends ImageOptions {
  /** Distances of patches; their size when null, so that they touch. */
  strides?: Sizes | null | undefined;
  /** Distances of pixels within a patch. */
  dilationRate?: Sizes | undefined;
  /** "valid", or "same": zeros around the image as with convolutions. */
  padding?: string | undefined;
}
/**
 * Patches of images (size [height, width] or one number) or of volumes (size [depth, height, width]), each as the channels of one
 * position: [batch, ...positions, pixels of a patch · channels].
 */
export const extractPatches = defineOp(
  "image.ExtractPatches",
  (
    images: TensorLike,
    size: Sizes,
    { strides = null, dilationRate = 1, padding = "valid", dataFormat = null }: ExtractPatchesOptions = {},
  ): Tensor => {
    const op = "extractPatches";
    const window = patchSize(op, size);
    const rank = window.length;
    const step = perAxis(op, "strides", strides ?? window, rank);
    const dilation = perAxis(op, "dilationRate", dilationRate, rank);
    const mode = paddingOf(op, padding);
    return onBatch(op, toTensor(images), rank, dataFormat, (batch) => {
      const [count, channels] = [batch.shape[0]!, batch.shape.at(-1)!];
      const around = window.map((n, i) => paddingAmounts(mode, batch.shape[i + 1]!, n, step[i]!, dilation[i]));
      const padded =
        mode === "valid"
          ? batch
          : P.pad(batch, {
              low: [0, ...around.map(([low]) => low), 0],
              high: [0, ...around.map(([, high]) => high), 0],
              interior: batch.shape.map(() => 0),
              value: 0,
            });
      const grid = window.map((n, i) => windowCount(batch.shape[i + 1]!, n, step[i]!, around[i]!, dilation[i]));
      const parts = placesIn(window).map((place) => {
        const start = place.map((n, i) => n * dilation[i]!);
        const limit = start.map((n, i) => n + (grid[i]! - 1) * step[i]! + 1);
        return P.slice(padded, [0, ...start, 0], [count, ...limit, channels], [1, ...step, 1]);
      });
      return P.concatenate(parts, rank + 1);
    });
  },
  { static: ["size"] },
);
/** Patches of volumes: `extractPatches` for a size of one number or three. */
export const extractPatches3d = (volumes: TensorLike, size: Sizes, options: ExtractPatchesOptions = {}): Tensor =>
  extractPatches(volumes, typeof size === "number" ? [size, size, size] : size, options);

export interface ReconstructPatchesOptions extends ImageOptions {
  /** Distances of patches; must equal their size, which null stands for. */
  strides?: Sizes | null | undefined;
  /** "valid": patches cover exactly the image; "same": what they cover beyond it is cut off. */
  padding?: string | undefined;
}
/** Images (or volumes) of `outputSize` from patches that touch: the inverse of `extractPatches`. */
export const reconstructPatches = defineOp(
  "image.ReconstructPatches",
  (
    patches: TensorLike,
    size: Sizes,
    outputSize: readonly number[],
    { strides = null, padding = "valid", dataFormat = null }: ReconstructPatchesOptions = {},
  ): Tensor => {
    const op = "reconstructPatches";
    const window = patchSize(op, size);
    const rank = window.length;
    const target = perAxis(op, "outputSize", outputSize, rank);
    const step = perAxis(op, "strides", strides ?? window, rank);
    if (step.some((s, i) => s !== window[i]))
      throw new RangeError(
        `${op}: overlapping or spread patches cannot be put together: strides must equal the size [${window}]. Received: [${step}].`,
      );
    const mode = paddingOf(op, padding);
    return onBatch(op, toTensor(patches), rank, dataFormat, (batch) => {
      const grid = window.map((n, i) => (mode === "valid" ? target[i]! / n : Math.ceil(target[i]! / n)));
      const known = batch.shape.slice(1, -1);
      if (!grid.every(Number.isInteger) || known.some((n, i) => n !== grid[i] && !Number.isNaN(n)))
        throw new RangeError(
          `${op}: patches of size [${window}] at [${known}] positions do not make [${target}] with padding "${mode}".`,
        );
      const pixels = productOf(window);
      const channels = batch.shape.at(-1)! / pixels;
      if (!Number.isInteger(channels) && !Number.isNaN(channels))
        throw new RangeError(
          `${op}: the last axis must hold ${pixels} pixels for each channel. Received shape [${batch.shape}].`,
        );
      const split = P.reshape(batch, [batch.shape[0]!, ...grid, ...window, channels]);
      const order = [0, ...grid.flatMap((_, i) => [i + 1, i + 1 + rank]), 2 * rank + 1];
      const covered = grid.map((n, i) => n * window[i]!);
      const joined = P.reshape(P.transpose(split, order), [batch.shape[0]!, ...covered, channels]);
      const cut = covered.map((n, i) => Math.floor((n - target[i]!) / 2));
      return P.slice(joined, [0, ...cut, 0], [batch.shape[0]!, ...cut.map((n, i) => n + target[i]!), channels]);
    });
  },
  { static: ["size", "output_size"] },
);
