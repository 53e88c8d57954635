import { toTensor } from "../core/convert.js";
import { isSpecMode } from "../core/interpreter.js";
import { defineOp } from "../core/op.js";
import { epsilon } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { logSoftmax } from "./activation.js";
import { axisOf, constant, givenDType, toFloat } from "./support.js";

export interface OneHotOptions {
  /** Where the class axis goes in the result. */
  axis?: number | undefined;
  dtype?: string | null | undefined;
}
/** 1 at each class index and 0 elsewhere along a new axis; all zeros for an index outside. */
export const oneHot = defineOp(
  "nn.OneHot",
  (x: TensorLike, numClasses: number, { axis = -1, dtype = null }: OneHotOptions = {}): Tensor => {
    const indices = toTensor(x, "int32");
    const at = axisOf(axis, indices.ndim + 1);
    const expanded = P.reshape(indices, [...indices.shape.slice(0, at), 1, ...indices.shape.slice(at)]);
    const classes = P.iota(
      Array.from({ length: indices.ndim + 1 }, (_, i) => (i === at ? numClasses : 1)),
      at,
      "int32",
    );
    return P.cast(P.equal(expanded, classes), givenDType(dtype) ?? "float32");
  },
  { static: ["num_classes"] },
);

export interface CrossentropyOptions {
  /** Whether `output` holds logits instead of probabilities. */
  fromLogits?: boolean | undefined;
}
export interface CategoricalCrossentropyOptions extends CrossentropyOptions {
  /** The class axis. */
  axis?: number | undefined;
}
const clipped = (p: Tensor): Tensor => P.minimum(P.maximum(p, constant(epsilon(), p)), constant(1 - epsilon(), p));

/** -t log(p) - (1 - t) log(1 - p), element by element; probabilities are kept epsilon away from 0 and 1. */
export const binaryCrossentropy = defineOp(
  "nn.BinaryCrossentropy",
  (target: TensorLike, output: TensorLike, { fromLogits = false }: CrossentropyOptions = {}): Tensor => {
    const p = toFloat(output);
    const t = toTensor(target, p.dtype);
    requireSameShape("binaryCrossentropy", t, p);
    const one = constant(1, p);
    if (fromLogits) {
      const positive = P.maximum(p, constant(0, p));
      return P.add(P.subtract(positive, P.multiply(p, t)), P.log1p(P.exp(P.negative(P.abs(p)))));
    }
    const q = clipped(p);
    const terms = P.add(P.multiply(t, P.log(q)), P.multiply(P.subtract(one, t), P.log(P.subtract(one, q))));
    return P.negative(terms);
  },
);

function logProbabilities(output: Tensor, axis: number, fromLogits: boolean): Tensor {
  if (fromLogits) return logSoftmax(output, { axis });
  return P.log(clipped(P.divide(output, P.sum(output, [axis], true))));
}
/** -Σ t log(p) over the class axis; probabilities are first scaled to sum to 1. */
export const categoricalCrossentropy = defineOp(
  "nn.CategoricalCrossentropy",
  (
    target: TensorLike,
    output: TensorLike,
    { fromLogits = false, axis = -1 }: CategoricalCrossentropyOptions = {},
  ): Tensor => {
    const p = toFloat(output);
    const t = toTensor(target, p.dtype);
    if (p.ndim < 1)
      throw new RangeError(`categoricalCrossentropy expects outputs with a class axis. Received shape [${p.shape}].`);
    requireSameShape("categoricalCrossentropy", t, p);
    const at = axisOf(axis, p.ndim);
    return P.negative(P.sum(P.multiply(t, logProbabilities(p, at, fromLogits)), [at]));
  },
);
/** Categorical crossentropy with class indices as targets. */
export const sparseCategoricalCrossentropy = defineOp(
  "nn.SparseCategoricalCrossentropy",
  (
    target: TensorLike,
    output: TensorLike,
    { fromLogits = false, axis = -1 }: CategoricalCrossentropyOptions = {},
  ): Tensor => {
    const p = toFloat(output);
    let t = toTensor(target, "int32");
    if (p.ndim < 1)
      throw new RangeError(
        `sparseCategoricalCrossentropy expects outputs with a class axis. Received shape [${p.shape}].`,
      );
    if (t.ndim === p.ndim && t.shape.at(-1) === 1) t = P.reshape(t, t.shape.slice(0, -1));
    const at = axisOf(axis, p.ndim);
    // Keras on JAX infers shapes for any class axis, but compares those of values as if it were the last one.
    const rest = isSpecMode() ? p.shape.filter((_, i) => i !== at) : p.shape.slice(0, -1);
    if (
      t.ndim !== rest.length ||
      t.shape.some((d, i) => d !== rest[i] && !Number.isNaN(d) && !Number.isNaN(rest[i]!))
    ) {
      throw new RangeError(
        `sparseCategoricalCrossentropy: targets of shape [${t.shape}] do not fit outputs of shape [${p.shape}]; expected [${rest}].`,
      );
    }
    const picked = oneHot(t, p.shape[at]!, { axis: at, dtype: p.dtype });
    return P.negative(P.sum(P.multiply(picked, logProbabilities(p, at, fromLogits)), [at]));
  },
);
function requireSameShape(name: string, target: Tensor, output: Tensor): void {
  const differ =
    target.ndim !== output.ndim ||
    target.shape.some((d, i) => d !== output.shape[i] && !Number.isNaN(d) && !Number.isNaN(output.shape[i]!));
  if (differ)
    throw new RangeError(
      `${name}: target and output must have one shape. Received: [${target.shape}] and [${output.shape}].`,
    );
}
