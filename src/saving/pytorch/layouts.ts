import { NDArray, sizeOf } from "../../core/ndarray.js";
import type { Variable } from "../../core/variable.js";
import type { Layer } from "../../layers/layer.js";

/** How a variable's values come from a parameter of PyTorch's module. */
export interface Source {
  /** Name of the parameter within the module. */
  readonly parameter: string;
  /** The parameter in the variable's layout; elements are not copied where strides can say the same. */
  arrange(parameter: NDArray, variable: Variable): NDArray;
}
/** Sources of a layer's variables, by their paths below the layer. */
export type Layout = Readonly<Record<string, Source>>;

/** Rows `from` to `to` of the first axis. */
const rows = (x: NDArray, from: number, to: number): NDArray =>
  new NDArray(x.data, [to - from, ...x.shape.slice(1)], x.dtype, x.strides, x.offset + from * x.strides[0]!);
/** Axes of [outputs, inputs, ...window] as [...window, inputs, outputs]. */
const windowFirst = (x: NDArray): NDArray => x.transpose([...x.shape.keys()].slice(2).concat(1, 0));

const same = (parameter: string): Source => ({ parameter, arrange: (x) => x });
const transposed = (x: NDArray): NDArray => (x.ndim === 2 ? x.transpose([1, 0]) : x);
const linear: Layout = { kernel: { parameter: "weight", arrange: transposed }, bias: same("bias") };

// `torch.nn.ConvNd` has [outputs, inputs / groups, ...window]; the transposed ones [inputs, outputs, ...window].
const convolution: Layout = {
  kernel: { parameter: "weight", arrange: (x) => (x.ndim > 2 ? windowFirst(x) : x) },
  bias: same("bias"),
};
/** A convolution with as many groups as channels: [channels * multiplier, 1, ...window] becomes [...window, channels, multiplier]. */
const depthwise: Layout = {
  kernel: {
    parameter: "weight",
    arrange(x, { shape }) {
      const [channels, multiplier] = shape.slice(-2) as [number, number];
      if (x.ndim !== shape.length || x.shape[0] !== channels * multiplier || x.shape[1] !== 1) return x;
      return windowFirst(permutedGroups(x, channels, multiplier));
    },
  },
  bias: same("bias"),
};
const permutedGroups = (x: NDArray, channels: number, multiplier: number): NDArray => {
  const grouped = x.reshape([channels, multiplier, ...x.shape.slice(2)]);
  return grouped.transpose([1, 0, ...[...grouped.shape.keys()].slice(2)]);
};

const affine: Layout = { gamma: same("weight"), beta: same("bias") };
const batchNormalization: Layout = {
  gamma: same("weight"),
  beta: same("bias"),
  moving_mean: same("running_mean"),
  moving_variance: same("running_var"),
};
/** PyTorch has one slope or one a channel, without the axes that the layer shares. */
const prelu: Layout = {
  alpha: { parameter: "weight", arrange: (x, { shape }) => (x.size === sizeOf(shape) ? x.reshape(shape) : x) },
};

/** A part of what `torch.nn.MultiheadAttention` keeps as one: projections of query, key and value, [3 * width, inputs]. */
const projection =
  (part: number): Source["arrange"] =>
  (x, { shape }) => {
    if (x.size !== 3 * sizeOf(shape)) return x;
    const width = x.shape[0]! / 3;
    return transposed(rows(x, part * width, (part + 1) * width)).reshape(shape);
  };
const projected = (name: string, part: number): Layout => ({
  [`${name}/kernel`]: { parameter: "in_proj_weight", arrange: projection(part) },
  [`${name}/bias`]: { parameter: "in_proj_bias", arrange: projection(part) },
});
const attention: Layout = {
  ...projected("query", 0),
  ...projected("key", 1),
  ...projected("value", 2),
  "attention_output/kernel": {
    parameter: "out_proj.weight",
    arrange: (x, { shape }) => (x.size === sizeOf(shape) ? transposed(x).reshape(shape) : x),
  },
  "attention_output/bias": same("out_proj.bias"),
};

const layouts: Readonly<Record<string, Layout>> = {
  Dense: linear,
  Conv1D: convolution,
  Conv2D: convolution,
  Conv3D: convolution,
  Conv1DTranspose: convolution,
  Conv2DTranspose: convolution,
  Conv3DTranspose: convolution,
  DepthwiseConv1D: depthwise,
  DepthwiseConv2D: depthwise,
  BatchNormalization: batchNormalization,
  LayerNormalization: affine,
  GroupNormalization: affine,
  RMSNormalization: { scale: same("weight") },
  Embedding: { embeddings: same("weight") },
  PReLU: prelu,
  MultiHeadAttention: attention,
};
/** Classes of layers whose weights PyTorch keeps too. */
export const knownClasses = (): string[] => Object.keys(layouts);

/** How PyTorch keeps the weights of a layer, by the layer's class or the nearest one it extends; null for layers it does not have. */
export function layoutOf(layer: Layer): Layout | null {
  for (let type = layer.constructor as { className?: string }; type; type = Object.getPrototypeOf(type) as typeof type)
    if (type.className !== undefined && Object.hasOwn(layouts, type.className)) return layouts[type.className]!;
  return null;
}
