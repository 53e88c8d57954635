import { resultType, toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { constant, toFloat } from "./support.js";

/** `body` on the argument as a float tensor. */
const floating =
  (body: (x: Tensor) => Tensor) =>
  (x: TensorLike): Tensor =>
    body(toFloat(x));
const zero = (x: Tensor): Tensor => constant(0, x);
const positive = (x: Tensor): Tensor => P.greater(x, zero(x));

/** max(x, 0) capped at 6, with gradient 0 at both ends. */
export const relu6 = defineOp(
  "nn.Relu6",
  floating((x) => P.minimum(P.maximum(x, zero(x)), constant(6, x))),
  {
    gradient: ([g], { outputs: [y] }) => {
      const inside = P.logicalAnd(positive(y!), P.less(y!, constant(6, y!)));
      return [P.select(inside, g!, zero(g!))];
    },
  },
);

export interface LeakyReluOptions {
  /** Factor of negative values. */
  negativeSlope?: number | undefined;
}
/** x where it is not negative, else `negativeSlope` · x. */
export const leakyRelu = defineOp(
  "nn.LeakyRelu",
  (x: TensorLike, { negativeSlope = 0.2 }: LeakyReluOptions = {}): Tensor => {
    const t = toFloat(x);
    return P.select(P.greaterEqual(t, zero(t)), t, P.multiply(t, constant(negativeSlope, t)));
  },
);

/** x where it is positive, else alpha · (exp(x / width) - 1). */
function exponentialUnit(t: Tensor, alpha: number, width = 1): Tensor {
  const negative = P.minimum(t, zero(t));
  const scaled = width === 1 ? negative : P.divide(negative, constant(width, t));
  return P.select(positive(t), t, P.multiply(constant(alpha, t), P.expm1(scaled)));
}
/** Slope of `exponentialUnit` from its result: y / width + alpha / width below zero. */
const exponentialSlope = (y: Tensor, alpha: number, width = 1): Tensor =>
  P.select(positive(y), constant(1, y), P.add(P.divide(y, constant(width, y)), constant(alpha / width, y)));

export interface AlphaOptions {
  /** Where the function levels off: at -alpha. */
  alpha?: number | undefined;
}
/** x where it is positive, else alpha · (exp(x) - 1) (Clevert et al., 2016). */
export const elu = defineOp(
  "nn.Elu",
  (x: TensorLike, { alpha = 1 }: AlphaOptions = {}): Tensor => exponentialUnit(toFloat(x), alpha),
  {
    gradient: ([g], { inputs: [x], args: [, { alpha = 1 } = {}] }) => [
      P.multiply(g!, exponentialSlopeOf(x!, alpha as number)),
    ],
  },
);
/** The slope as a function of the argument, for any alpha, negative ones included. */
function exponentialSlopeOf(x: Tensor, alpha: number): Tensor {
  const e = P.multiply(constant(alpha, x), P.exp(P.minimum(x, zero(x))));
  return P.select(positive(x), constant(1, x), e);
}

// Klambauer et al., 2017.
const seluAlpha = 1.6732632423543772;
const seluScale = 1.0507009873554805;
/** elu scaled so that layers keep mean 0 and variance 1 (Klambauer et al., 2017). */
export const selu = defineOp(
  "nn.Selu",
  floating((x) => P.multiply(constant(seluScale, x), exponentialUnit(x, seluAlpha))),
  {
    gradient: ([g], { inputs: [x] }) => [
      P.multiply(P.multiply(g!, constant(seluScale, g!)), exponentialSlopeOf(x!, seluAlpha)),
    ],
  },
);
/** x where it is positive, else alpha · (exp(x / alpha) - 1): differentiable at 0 (Barron, 2017). */
export const celu = defineOp(
  "nn.Celu",
  (x: TensorLike, { alpha = 1 }: AlphaOptions = {}): Tensor => exponentialUnit(toFloat(x), alpha, alpha),
  {
    gradient: ([g], { outputs: [y], args: [, { alpha = 1 } = {}] }) => [
      P.multiply(g!, exponentialSlope(y!, alpha as number, alpha as number)),
    ],
  },
);

/** relu6(x + 3) / 6. */
export const hardSigmoid = defineOp(
  "nn.HardSigmoid",
  floating((x) => P.divide(relu6(P.add(x, constant(3, x))), constant(6, x))),
);
/** x · hardSigmoid(x). */
export const hardSilu = defineOp(
  "nn.HardSilu",
  floating((x) => P.multiply(x, hardSigmoid(x))),
);
/** x limited to [-1, 1]. */
export const hardTanh = defineOp("nn.HardTanh", (x: TensorLike): Tensor => {
  const given = toTensor(x);
  const t = given.dtype === "bool" ? P.cast(given, "int32") : given;
  const [low, high] = [constant(-1, t), constant(1, t)];
  return P.select(P.greater(t, high), high, P.select(P.less(t, low), low, t));
});

export interface ThresholdOptions {
  /** Half the width of the band that becomes 0. */
  threshold?: number | undefined;
}
/** x outside [-threshold, threshold], else 0. */
export const hardShrink = defineOp(
  "nn.HardShrink",
  (x: TensorLike, { threshold: limit = 0.5 }: ThresholdOptions = {}): Tensor => {
    const t = toFloat(x);
    return P.select(P.greater(P.abs(t), constant(limit, t)), t, zero(t));
  },
);
/** x moved towards 0 by `threshold`, and 0 where it would cross. */
export const softShrink = defineOp(
  "nn.SoftShrink",
  (x: TensorLike, { threshold: limit = 0.5 }: ThresholdOptions = {}): Tensor => {
    const t = toFloat(x);
    const by = constant(limit, t);
    const below = P.select(P.less(t, P.negative(by)), P.add(t, by), zero(t));
    return P.select(P.greater(t, by), P.subtract(t, by), below);
  },
);
/** x where it is above `threshold`, else `defaultValue`. */
export const threshold = defineOp(
  "nn.Threshold",
  (x: TensorLike, threshold: number, defaultValue: number): Tensor => {
    const given = toTensor(x);
    const t = toTensor(given, resultType(given, defaultValue));
    const above = P.greater(...comparable(t, threshold));
    return P.select(above, t, constant(defaultValue, t));
  },
  { static: ["threshold", "default_value"] },
);
/** Integers are compared as floats, so that limits with a fraction hold. */
const comparable = (t: Tensor, limit: number): [Tensor, Tensor] => {
  const f = toFloat(t);
  return [f, constant(limit, f)];
};
