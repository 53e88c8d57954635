import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { sigmoid } from "./activation.js";
import { axisOf, constant, toFloat } from "./support.js";

/** `body` on the argument as a float tensor. */
const floating =
  (body: (x: Tensor) => Tensor) =>
  (x: TensorLike): Tensor =>
    body(toFloat(x));
const half = (x: Tensor): Tensor => P.multiply(x, constant(0.5, x));

/** log(1 + exp(x)), finite for all finite x. */
export const softplus = defineOp(
  "nn.Softplus",
  floating((x) => P.add(P.maximum(x, constant(0, x)), P.log1p(P.exp(P.negative(P.abs(x)))))),
  { gradient: ([g], { inputs: [x] }) => [P.multiply(g!, P.sigmoid(toFloat(x!)))] },
);
/** log(sigmoid(x)), finite for all finite x. */
export const logSigmoid = defineOp(
  "nn.LogSigmoid",
  floating((x) => P.negative(softplus(P.negative(x)))),
);
/** x · sigmoid(x) (Ramachandran et al., 2017). */
export const silu = defineOp(
  "nn.Silu",
  floating((x) => P.multiply(x, sigmoid(x))),
  {
    gradient: ([g], { inputs: [x] }) => {
      const s = P.sigmoid(x!);
      const inner = P.add(constant(1, s), P.multiply(x!, P.subtract(constant(1, s), s)));
      return [P.multiply(g!, P.multiply(s, inner))];
    },
  },
);
export interface GeluOptions {
  /** Whether to use the formula with tanh instead of the exact one. */
  approximate?: boolean | undefined;
}
const rootTwoOverPi = Math.sqrt(2 / Math.PI);
const cubic = 0.044715;
/** √(2/π) · (x + 0.044715 x³). */
const geluInner = (x: Tensor): Tensor =>
  P.multiply(constant(rootTwoOverPi, x), P.add(x, P.multiply(constant(cubic, x), P.multiply(x, P.multiply(x, x)))));
/** The share of a standard normal below x. */
const normalShare = (x: Tensor): Tensor => half(P.add(constant(1, x), P.erf(P.multiply(x, constant(Math.SQRT1_2, x)))));
/** x times the share of a standard normal below it (Hendrycks and Gimpel, 2016). */
export const gelu = defineOp(
  "nn.Gelu",
  (x: TensorLike, { approximate = true }: GeluOptions = {}): Tensor => {
    const t = toFloat(x);
    const share = approximate ? half(P.add(constant(1, t), P.tanh(geluInner(t)))) : normalShare(t);
    return P.multiply(t, share);
  },
  {
    gradient: ([g], { inputs: [x], args: [, { approximate = true } = {}] }) => [
      P.multiply(g!, approximate ? approximateGeluSlope(x!) : exactGeluSlope(x!)),
    ],
  },
);
function approximateGeluSlope(x: Tensor): Tensor {
  const t = P.tanh(geluInner(x));
  const innerSlope = P.multiply(
    constant(rootTwoOverPi, x),
    P.add(constant(1, x), P.multiply(constant(3 * cubic, x), P.multiply(x, x))),
  );
  const steep = P.multiply(P.subtract(constant(1, t), P.multiply(t, t)), innerSlope);
  return half(P.add(P.add(constant(1, t), t), P.multiply(x, steep)));
}
function exactGeluSlope(x: Tensor): Tensor {
  const density = P.multiply(constant(1 / Math.sqrt(2 * Math.PI), x), P.exp(P.negative(half(P.multiply(x, x)))));
  return P.add(normalShare(x), P.multiply(x, density));
}

/** x / (1 + |x|). */
export const softsign = defineOp(
  "nn.Softsign",
  floating((x) => P.divide(x, P.add(constant(1, x), P.abs(x)))),
);
/** x - tanh(x). */
export const tanhShrink = defineOp(
  "nn.TanhShrink",
  floating((x) => P.subtract(x, P.tanh(x))),
);
export interface SquareplusOptions {
  /** How wide the bend is. */
  b?: number | undefined;
}
/** (x + √(x² + b)) / 2 (Barron, 2021). */
export const squareplus = defineOp("nn.Squareplus", (x: TensorLike, { b = 4 }: SquareplusOptions = {}): Tensor => {
  const t = toFloat(x);
  return half(P.add(t, P.sqrt(P.add(P.multiply(t, t), constant(b, t)))));
});
/** 0 below -1, x above 1, (x + 1)² / 4 between: what softplus is to softmax, to sparsemax. */
export const sparsePlus = defineOp(
  "nn.SparsePlus",
  floating((x) => {
    const shifted = P.add(x, constant(1, x));
    const bend = P.multiply(P.multiply(shifted, shifted), constant(0.25, x));
    const upper = P.select(P.greaterEqual(x, constant(1, x)), x, bend);
    return P.select(P.lessEqual(x, constant(-1, x)), constant(0, x), upper);
  }),
);
/** (x + 1) / 2 limited to [0, 1]: what sigmoid is to softmax, to sparsemax. */
export const sparseSigmoid = defineOp(
  "nn.SparseSigmoid",
  floating((x) => half(P.minimum(P.maximum(P.add(x, constant(1, x)), constant(0, x)), constant(2, x)))),
);

export interface AxisOption {
  axis?: number | undefined;
}
/** The first half along `axis` times the sigmoid of the second (Dauphin et al., 2017). */
export const glu = defineOp("nn.Glu", (x: TensorLike, { axis = -1 }: AxisOption = {}): Tensor => {
  const t = toFloat(x);
  const at = axisOf(axis, t.ndim);
  const size = t.shape[at]!;
  if (size % 2 === 1) throw new RangeError(`glu: axis ${axis} must have an even size. Received shape [${t.shape}].`);
  const middle = t.shape.map((d, i) => (i === at ? size / 2 : d));
  const start = t.shape.map((_, i) => (i === at ? size / 2 : 0));
  const first = P.slice(
    t,
    t.shape.map(() => 0),
    middle,
  );
  return P.multiply(first, P.sigmoid(P.slice(t, start, t.shape)));
});
/** The nearest point, in the Euclidean sense, whose elements along `axis` are at least 0 and sum to 1 (Martins and Astudillo, 2016). */
export const sparsemax = defineOp("nn.Sparsemax", (x: TensorLike, { axis = -1 }: AxisOption = {}): Tensor => {
  const t = toFloat(x);
  const at = axisOf(axis, t.ndim);
  const sorted = P.sort(t, at, true);
  const sums = P.cumulativeSum(sorted, at);
  const rank = P.add(
    P.iota(
      t.shape.map((d, i) => (i === at ? d : 1)),
      at,
      t.dtype,
    ),
    constant(1, t),
  );
  const excess = P.subtract(sums, constant(1, t));
  const inSupport = P.greater(P.multiply(sorted, rank), excess);
  const size = P.sum(P.cast(inSupport, t.dtype), [at], true);
  const total = P.sum(P.select(inSupport, sorted, constant(0, t)), [at], true);
  const tau = P.divide(P.subtract(total, constant(1, t)), size);
  return P.maximum(P.subtract(t, tau), constant(0, t));
});
