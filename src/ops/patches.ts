import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import { standardizeDataFormat } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";

type Pair = number | readonly number[];
export interface PatchOptions {
  /** Distances of elements within a patch. */
  dilation?: Pair | undefined;
  /** Zeros around the image. */
  padding?: Pair | undefined;
  /** Distances of patches. */
  stride?: Pair | undefined;
}
const pairOf = (value: Pair): readonly [number, number] =>
  typeof value === "number" ? [value, value] : [value[0]!, value[1]!];

interface Layout {
  readonly kernel: readonly [number, number];
  readonly dilation: readonly [number, number];
  readonly padding: readonly [number, number];
  readonly stride: readonly [number, number];
  /** Number of patches down and across. */
  readonly count: readonly [number, number];
}
function layoutOf(
  image: readonly [number, number],
  kernelSize: Pair,
  { dilation = 1, padding = 0, stride = 1 }: PatchOptions,
): Layout {
  const [kernel, d, p, s] = [pairOf(kernelSize), pairOf(dilation), pairOf(padding), pairOf(stride)];
  const count = ([0, 1] as const).map((i) =>
    Math.floor((image[i] + 2 * p[i] - d[i] * (kernel[i] - 1) - 1) / s[i] + 1),
  ) as [number, number];
  return { kernel, dilation: d, padding: p, stride: s, count };
}
/** Where each element of a patch lies in the first patch. */
const offsetsOf = ({ kernel, dilation }: Layout): [number, number][] =>
  Array.from({ length: kernel[0] * kernel[1] }, (_, i) => [
    Math.floor(i / kernel[1]) * dilation[0],
    (i % kernel[1]) * dilation[1],
  ]);

/** Patches of images [batch, channels, height, width] as columns: [batch, channels · elements of a patch, patches]. */
export const unfold = defineOp(
  "nn.Unfold",
  (x: TensorLike, kernelSize: Pair, options: PatchOptions = {}): Tensor => {
    const t = toTensor(x);
    if (t.ndim !== 4)
      throw new RangeError(`unfold: expected images [batch, channels, height, width]. Received shape [${t.shape}].`);
    const [batch, channels, height, width] = t.shape as [number, number, number, number];
    const layout = layoutOf([height, width], kernelSize, options);
    const { padding, stride, count } = layout;
    const around = [0, 0, ...padding];
    const padded = P.pad(t, { low: around, high: around, interior: [0, 0, 0, 0], value: 0 });
    const columns = offsetsOf(layout).map(([row, column]) => {
      const limit = [row + (count[0] - 1) * stride[0] + 1, column + (count[1] - 1) * stride[1] + 1];
      const at = P.slice(padded, [0, 0, row, column], [batch, channels, ...limit], [1, 1, ...stride]);
      return P.reshape(at, [batch, channels, 1, count[0] * count[1]]);
    });
    return P.reshape(P.concatenate(columns, 2), [batch, channels * columns.length, count[0] * count[1]]);
  },
  { static: ["kernel_size"] },
);

/** Adds up patches [batch, channels · elements, patches] into images of `outputSize`: the transpose of `unfold`. */
export const fold = defineOp(
  "nn.Fold",
  (x: TensorLike, outputSize: Pair, kernelSize: Pair, options: PatchOptions = {}): Tensor => {
    const t = toTensor(x);
    if (t.ndim !== 3)
      throw new RangeError(
        `fold: expected patches [batch, channels · elements, patches]. Received shape [${t.shape}].`,
      );
    const [height, width] = pairOf(outputSize);
    const layout = layoutOf([height, width], kernelSize, options);
    const { kernel, padding, stride, count } = layout;
    const [batch, rows, patches] = t.shape as [number, number, number];
    const elements = kernel[0] * kernel[1];
    if (rows % elements > 0 || (patches !== count[0] * count[1] && !Number.isNaN(patches)))
      throw new RangeError(
        `fold: expected [batch, channels · ${elements}, ${count[0] * count[1]}] for images of ${height} by ${width}. Received shape [${t.shape}].`,
      );
    const channels = rows / elements;
    const grid = P.reshape(t, [batch, channels, elements, count[0], count[1]]);
    const interior = [0, 0, stride[0] - 1, stride[1] - 1];
    const parts = offsetsOf(layout).map(([row, column], i) => {
      const at = P.slice(grid, [0, 0, i, 0, 0], [batch, channels, i + 1, count[0], count[1]]);
      const span = [(count[0] - 1) * stride[0] + 1, (count[1] - 1) * stride[1] + 1] as const;
      return P.pad(P.reshape(at, [batch, channels, count[0], count[1]]), {
        low: [0, 0, row - padding[0], column - padding[1]],
        high: [0, 0, height + padding[0] - row - span[0], width + padding[1] - column - span[1]],
        interior,
        value: 0,
      });
    });
    return parts.reduce((sum, part) => P.add(sum, part));
  },
  { static: ["output_size", "kernel_size"] },
);

/** Whether channels come first, and batch, height, width and channels of images to cut into blocks. */
function imagesOf(
  op: string,
  x: Tensor,
  blockSize: number,
  dataFormat: string | null,
): [first: boolean, n: number, h: number, w: number, c: number] {
  if (!Number.isInteger(blockSize) || blockSize < 2)
    throw new RangeError(`${op}: \`blockSize\` must be an integer >= 2. Received: ${blockSize}.`);
  if (x.ndim !== 4) throw new RangeError(`${op}: expected a batch of images. Received shape [${x.shape}].`);
  const [n, d1, d2, d3] = x.shape as readonly [number, number, number, number];
  return standardizeDataFormat(dataFormat) === "channels_first" ? [true, n, d2, d3, d1] : [false, n, d1, d2, d3];
}
export interface BlockOptions {
  dataFormat?: string | null | undefined;
}
/** Spreads channels over blocks of `blockSize` by `blockSize` pixels. */
export const depthToSpace = defineOp(
  "nn.DepthToSpace",
  (x: TensorLike, blockSize: number, { dataFormat = "channels_last" }: BlockOptions = {}): Tensor => {
    const t = toTensor(x);
    const b = blockSize;
    const [first, n, h, w, c] = imagesOf("depthToSpace", t, b, dataFormat);
    if (c % (b * b) > 0)
      throw new RangeError(`depthToSpace: ${b * b} must divide the number of channels. Received shape [${t.shape}].`);
    const depth = c / (b * b);
    if (first) {
      const blocks = P.reshape(t, [n, depth, b, b, h, w]);
      return P.reshape(P.transpose(blocks, [0, 1, 4, 2, 5, 3]), [n, depth, h * b, w * b]);
    }
    const blocks = P.reshape(t, [n, h, w, b, b, depth]);
    return P.reshape(P.transpose(blocks, [0, 1, 3, 2, 4, 5]), [n, h * b, w * b, depth]);
  },
  { static: ["block_size"] },
);
/** Gathers blocks of `blockSize` by `blockSize` pixels into channels: the inverse of `depthToSpace`. */
export const spaceToDepth = defineOp(
  "nn.SpaceToDepth",
  (x: TensorLike, blockSize: number, { dataFormat = "channels_last" }: BlockOptions = {}): Tensor => {
    const t = toTensor(x);
    const b = blockSize;
    const [first, n, h, w, c] = imagesOf("spaceToDepth", t, b, dataFormat);
    if (h % b > 0 || w % b > 0)
      throw new RangeError(`spaceToDepth: ${b} must divide height and width. Received shape [${t.shape}].`);
    if (first) {
      const blocks = P.reshape(t, [n, c, h / b, b, w / b, b]);
      return P.reshape(P.transpose(blocks, [0, 1, 3, 5, 2, 4]), [n, c * b * b, h / b, w / b]);
    }
    const blocks = P.reshape(t, [n, h / b, b, w / b, b, c]);
    return P.reshape(P.transpose(blocks, [0, 1, 3, 2, 4, 5]), [n, h / b, w / b, c * b * b]);
  },
  { static: ["block_size"] },
);
