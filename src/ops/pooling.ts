import { toTensor } from "../core/convert.js";
import { NDArray } from "../core/ndarray.js";
import { defineOp } from "../core/op.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { constant, productOf, toFloat } from "./support.js";
import { channelsLast, paddingAmounts, paddingOf, perAxis, spatialRank } from "./windows.js";

export interface PoolOptions {
  /** Steps of the window; its size when null. */
  strides?: number | readonly number[] | null | undefined;
  /** "valid" or "same". */
  padding?: string | undefined;
  /** "channels_last", "channels_first", or the default format when null. */
  dataFormat?: string | null | undefined;
}
type Sizes = number | readonly number[];

function poolAttributes(op: string, x: Tensor, poolSize: Sizes, { strides, padding = "valid" }: PoolOptions) {
  const rank = spatialRank(op, x);
  const window = perAxis(op, "poolSize", poolSize, rank);
  const step = perAxis(op, "strides", strides ?? window, rank);
  const mode = paddingOf(op, padding);
  const amounts = window.map((size, i) => paddingAmounts(mode, x.shape[i + 1]!, size, step[i]!));
  return { window, strides: step, padding: amounts };
}

/** Largest element of each window. */
export const maxPool = defineOp(
  "nn.MaxPool",
  (inputs: TensorLike, poolSize: Sizes, options: PoolOptions = {}): Tensor =>
    channelsLast(toTensor(inputs), options.dataFormat, (x) =>
      P.maxPool(x, poolAttributes("maxPool", x, poolSize, options)),
    ),
  { static: ["pool_size"] },
);
/** Mean of each window; what lies outside the inputs does not count. */
export const averagePool = defineOp(
  "nn.AveragePool",
  (inputs: TensorLike, poolSize: Sizes, options: PoolOptions = {}): Tensor =>
    channelsLast(toFloat(inputs), options.dataFormat, (x) => {
      const attributes = poolAttributes("averagePool", x, poolSize, options);
      const sums = P.sumPool(x, attributes);
      if (attributes.padding.every(([low, high]) => low === 0 && high === 0))
        return P.divide(sums, constant(productOf(attributes.window), x));
      const ones = P.full([1, ...x.shape.slice(1, -1), 1], 1, x.dtype);
      return P.divide(sums, P.sumPool(ones, attributes));
    }),
  { static: ["pool_size"] },
);

/** Where the windows of adaptive pooling begin and end: `count` windows that cover an axis as evenly as whole numbers allow. */
function adaptiveWindows(size: number, count: number): readonly (readonly [start: number, end: number])[] {
  return Array.from({ length: count }, (_, i) => [Math.floor((i * size) / count), Math.ceil(((i + 1) * size) / count)]);
}
const adaptive =
  (op: string, prepare: (x: TensorLike) => Tensor, along: (x: Tensor, axis: number, count: number) => Tensor) =>
  (
    inputs: TensorLike,
    outputSize: Sizes,
    { dataFormat = null }: { dataFormat?: string | null | undefined } = {},
  ): Tensor =>
    channelsLast(prepare(inputs), dataFormat, (x) =>
      perAxis(op, "outputSize", outputSize, spatialRank(op, x)).reduce((y, count, i) => along(y, i + 1, count), x),
    );

/** Mean of each window of one axis: a product with the matrix that averages. */
function averageAlong(x: Tensor, axis: number, count: number): Tensor {
  const size = x.shape[axis]!;
  const weights = new Float32Array(size * count);
  adaptiveWindows(size, count).forEach(([start, end], j) => {
    for (let i = start; i < end; i++) weights[i * count + j] = 1 / (end - start);
  });
  const matrix = P.cast(fromHost(new NDArray(weights, [size, count], "float32")), x.dtype);
  const y = P.dot(x, matrix, { contract: [[axis], [0]], batch: [[], []] });
  const last = x.ndim - 1;
  return P.transpose(
    y,
    x.shape.map((_, i) => (i < axis ? i : i === axis ? last : i - 1)),
  );
}
/** Largest element of each window of one axis: windows are laid out side by side, shorter ones with their last element repeated. */
function maxAlong(x: Tensor, axis: number, count: number): Tensor {
  const windows = adaptiveWindows(x.shape[axis]!, count);
  const widest = Math.max(...windows.map(([start, end]) => end - start));
  const indices = windows.flatMap(([start, end]) =>
    Array.from({ length: widest }, (_, i) => Math.min(start + i, end - 1)),
  );
  const spread = P.take(x, fromHost(NDArray.from(Int32Array.from(indices))), axis, "clip");
  const window = x.shape.slice(1, -1).map((_, i) => (i + 1 === axis ? widest : 1));
  return P.maxPool(spread, { window, strides: window, padding: window.map(() => [0, 0] as const) });
}
/** Mean pooling to `outputSize` positions on each spatial axis, with windows of nearly equal size. */
export const adaptiveAveragePool = defineOp(
  "nn.AdaptiveAveragePool",
  adaptive("adaptiveAveragePool", toFloat, averageAlong),
  { static: ["output_size"] },
);
/** Max pooling to `outputSize` positions on each spatial axis, with windows of nearly equal size. */
export const adaptiveMaxPool = defineOp(
  "nn.AdaptiveMaxPool",
  adaptive("adaptiveMaxPool", (x) => toTensor(x), maxAlong),
  {
    static: ["output_size"],
  },
);
