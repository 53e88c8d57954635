import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { type Axis, axesOf, constant, toFloat } from "./support.js";

interface AxisOptions {
  axis?: Axis | undefined;
}

/** max(x, 0), with gradient 0 at 0. */
export const relu = defineOp(
  "nn.Relu",
  (x: TensorLike): Tensor => {
    const t = toTensor(x);
    return t.dtype === "bool" ? P.cast(t, "int32") : P.maximum(t, constant(0, t));
  },
  {
    gradient: ([g], { outputs: [y] }) => [P.select(P.greater(y!, constant(0, y!)), g!, constant(0, g!))],
  },
);
/** 1 / (1 + exp(-x)). */
export const sigmoid = defineOp("nn.Sigmoid", (x: TensorLike): Tensor => P.sigmoid(toFloat(x)));

/** exp(x) scaled so that it sums to 1 over `axis` (all axes when null). */
export const softmax = defineOp(
  "nn.Softmax",
  (x: TensorLike, { axis = -1 }: AxisOptions = {}): Tensor => {
    const t = toFloat(x);
    const axes = axesOf(axis, t.ndim);
    const e = P.exp(P.subtract(t, P.max(t, axes, true)));
    return P.divide(e, P.sum(e, axes, true));
  },
  {
    gradient: ([g], { outputs: [y], args: [, { axis = -1 } = {}] }) => {
      const weighted = P.multiply(g!, y!);
      return [P.subtract(weighted, P.multiply(y!, P.sum(weighted, axesOf(axis as Axis, y!.ndim), true)))];
    },
  },
);
/** Logarithm of softmax, without leaving the range of floats. */
export const logSoftmax = defineOp(
  "nn.LogSoftmax",
  (x: TensorLike, { axis = -1 }: AxisOptions = {}): Tensor => {
    const t = toFloat(x);
    const axes = axesOf(axis, t.ndim);
    const shifted = P.subtract(t, P.max(t, axes, true));
    return P.subtract(shifted, P.log(P.sum(P.exp(shifted), axes, true)));
  },
  {
    gradient: ([g], { outputs: [y], args: [, { axis = -1 } = {}] }) => [
      P.subtract(g!, P.multiply(P.exp(y!), P.sum(g!, axesOf(axis as Axis, y!.ndim), true))),
    ],
  },
);
