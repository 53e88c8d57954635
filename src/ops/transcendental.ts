import { promoted, resultType, toTensor } from "../core/convert.js";
import { isComplex, isFloat } from "../core/dtype.js";
import { isSpecMode } from "../core/interpreter.js";
import { defineOp, type OpGradientContext } from "../core/op.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { remainderOf } from "./arithmetic.js";
import { constant, toFloat } from "./support.js";
import { withGradient } from "./with-gradient.js";

type Unary = (x: TensorLike) => Tensor;
type Binary = (x1: TensorLike, x2: TensorLike) => Tensor;
const floating =
  (fn: (x: Tensor) => Tensor): Unary =>
  (x) =>
    fn(toFloat(x));
/** Applies `fn` to both operands as floats of their common dtype. */
const floatPair =
  (fn: (x: Tensor, y: Tensor) => Tensor): Binary =>
  (x1, x2) => {
    const dtype = resultType(x1, x2);
    const [x, y] = promoted([x1, x2], isFloat(dtype) || isComplex(dtype) ? dtype : floatx());
    return fn(x!, y!);
  };
const scaled =
  (factor: number) =>
  (x: Tensor): Tensor =>
    P.multiply(x, constant(factor, x));

/** The angle of the point (x2, x1), in radians. */
export const arctan2 = defineOp("numpy.Arctan2", floatPair(P.atan2));
/** Cube root. */
export const cbrt = defineOp(
  "numpy.Cbrt",
  floating((x) => P.multiply(P.sign(x), P.power(P.abs(x), constant(1 / 3, x)))),
  {
    gradient: ([g], { outputs: [y] }) => [P.divide(g!, P.multiply(constant(3, y!), P.multiply(y!, y!)))],
  },
);
/** 2 to the power of x. */
export const exp2 = defineOp(
  "numpy.Exp2",
  floating((x) => P.exp(P.multiply(x, constant(Math.LN2, x)))),
);
/** Logarithm to the base 2. */
export const log2 = defineOp(
  "numpy.Log2",
  floating((x) => P.divide(P.log(x), constant(Math.LN2, x))),
);
/** Logarithm to the base 10. */
export const log10 = defineOp(
  "numpy.Log10",
  floating((x) => P.divide(P.log(x), constant(Math.LN10, x))),
);
/** Radians of angles in degrees. */
export const deg2rad = defineOp("numpy.Deg2rad", floating(scaled(Math.PI / 180)));
/** Degrees of angles in radians. */
export const rad2deg = defineOp("numpy.Rad2deg", floating(scaled(180 / Math.PI)));
/** sin(πx) / (πx), and 1 at 0. */
export const sinc = defineOp(
  "numpy.Sinc",
  floating((x) => {
    const zero = P.equal(x, constant(0, x));
    const y = P.multiply(constant(Math.PI, x), P.select(zero, constant(1, x), x));
    return P.select(zero, constant(1, x), P.divide(P.sin(y), y));
  }),
);
/** I₀(x), the modified Bessel function of order 0. */
export const i0 = defineOp(
  "numpy.I0",
  floating(
    (x) =>
      withGradient(
        "i0",
        [x],
        () => [P.multiply(P.exp(P.abs(x)), P.besselI0e(x))],
        // I₁, without the bend that |x| has at 0.
        ([g]) => [g ? P.multiply(g, P.multiply(P.exp(P.abs(x)), P.besselI1e(x))) : null],
      )[0]!,
  ),
);
/** √(x1² + x2²) without overflow on the way. */
export const hypot = defineOp(
  "numpy.Hypot",
  floatPair((a, b) => {
    const [x, y] = [P.abs(a), P.abs(b)];
    const [large, small] = [P.maximum(x, y), P.minimum(x, y)];
    const none = P.equal(large, constant(0, large));
    const ratio = P.divide(small, P.select(none, constant(1, large), large));
    const length = P.multiply(large, P.sqrt(P.add(constant(1, large), P.multiply(ratio, ratio))));
    const infinite = P.logicalOr(P.equal(x, constant(Infinity, x)), P.equal(y, constant(Infinity, y)));
    return P.select(infinite, constant(Infinity, large), P.select(none, large, length));
  }),
  {
    gradient: ([g], { inputs, outputs: [y] }) => {
      // At 0 the length grows with either leg alike.
      const none = P.equal(y!, constant(0, y!));
      return inputs.map((x) => {
        const leg = P.cast(x, y!.dtype);
        const share = P.select(none, constant(0.5, y!), P.divide(leg, P.select(none, constant(1, y!), y!)));
        return P.unbroadcast(P.multiply(g!, share), x);
      });
    },
  },
);
function logOfSum(a: Tensor, b: Tensor, base: number): Tensor {
  const ln = constant(Math.log(base), a);
  const large = P.maximum(a, b);
  const difference = P.subtract(a, b);
  const exponent = P.negative(P.abs(difference));
  const tail = base === Math.E ? P.log1p(P.exp(exponent)) : P.divide(P.log1p(P.exp(P.multiply(exponent, ln))), ln);
  // Equal infinities have no difference; a NaN difference means that or a NaN operand, which a + b keeps.
  return P.select(P.equal(difference, difference), P.add(large, tail), P.add(a, b));
}
/** Each operand's share of the sum: exp(x - y). */
const shares =
  (base: number) =>
  ([g]: readonly (Tensor | null)[], { inputs, outputs: [y] }: OpGradientContext): Tensor[] =>
    inputs.map((x) => {
      const difference = P.subtract(P.cast(x, y!.dtype), y!);
      const share = P.exp(P.multiply(difference, constant(Math.log(base), difference)));
      // An infinite sum is shared by nobody in particular: equal infinities have no difference.
      const known = P.select(P.equal(difference, difference), share, constant(1, share));
      return P.cast(P.unbroadcast(P.multiply(g!, known), x), x.dtype);
    });
/** log(exp(x1) + exp(x2)). */
export const logaddexp = defineOp(
  "numpy.Logaddexp",
  floatPair((a, b) => logOfSum(a, b, Math.E)),
  { gradient: shares(Math.E) },
);
/** log₂(2^x1 + 2^x2). */
export const logaddexp2 = defineOp(
  "numpy.Logaddexp2",
  floatPair((a, b) => logOfSum(a, b, 2)),
  { gradient: shares(2) },
);
/** x1 · 2^x2. */
export const ldexp = defineOp("numpy.Ldexp", (x1: TensorLike, x2: TensorLike): Tensor => {
  const exponent = toTensor(x2);
  if (isFloat(exponent.dtype) && !isSpecMode())
    throw new TypeError(`ldexp: the exponent must be an integer. Received: ${exponent.dtype}.`);
  const x = toFloat(x1);
  return P.multiply(x, P.exp(P.multiply(P.cast(exponent, x.dtype), constant(Math.LN2, x))));
});
/** The next float after x1 towards x2. */
export const nextafter = defineOp("numpy.Nextafter", floatPair(P.nextAfter));
/** 0 below 0, 1 above, and x2 at 0. */
export const heaviside = defineOp(
  "numpy.Heaviside",
  floatPair((x, y) => {
    const zero = constant(0, x);
    return P.select(
      P.less(x, zero),
      zero,
      P.select(P.greater(x, zero), constant(1, x), P.select(P.equal(x, zero), y, x)),
    );
  }),
);
/** Remainder with the sign of the dividend. */
export const fmod = defineOp("numpy.Fmod", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = promoted([x1, x2]) as [Tensor, Tensor];
  return x.dtype === "bool" ? remainderOf(P.cast(x, "int32"), P.cast(y, "int32")) : remainderOf(x, y);
});
const ignoringNaN =
  (fn: (x: Tensor, y: Tensor) => Tensor): Binary =>
  (x1, x2) => {
    const [x, y] = promoted([x1, x2]) as [Tensor, Tensor];
    const [a, b] = x.dtype === "bool" ? [P.cast(x, "int32"), P.cast(y, "int32")] : [x, y];
    const chosen = P.select(P.logicalOr(fn(a, b), P.notEqual(b, b)), a, b);
    return P.cast(chosen, x.dtype);
  };
/** Larger of two, element by element; a number wins over NaN. */
export const fmax = defineOp("numpy.Fmax", ignoringNaN(P.greater));
/** Smaller of two, element by element; a number wins over NaN. */
export const fmin = defineOp("numpy.Fmin", ignoringNaN(P.less));

/** Rounds to `decimals` places, halves to even. */
export const round = defineOp(
  "numpy.Round",
  (x: TensorLike, { decimals = 0 }: { decimals?: number | undefined } = {}): Tensor => {
    const t = toTensor(x);
    if (isComplex(t.dtype)) {
      const [re, im] = [P.real(t), P.imag(t)];
      return P.complex(round(re, { decimals }), round(im, { decimals }));
    }
    if (!isFloat(t.dtype))
      return decimals >= 0
        ? t.dtype === "bool"
          ? P.cast(t, "int32")
          : t
        : P.cast(round(P.cast(t, "float32"), { decimals }), t.dtype);
    if (decimals === 0) return P.round(t);
    const factor = constant(10 ** decimals, t);
    return P.divide(P.round(P.multiply(t, factor)), factor);
  },
);
/** Towards zero to a whole number. */
export const trunc = defineOp("numpy.Trunc", (x: TensorLike): Tensor => {
  const t = toTensor(x);
  if (!isFloat(t.dtype)) return t;
  return P.select(P.less(t, constant(0, t)), P.ceil(t), P.floor(t));
});
/** |x| as a float. */
export const fabs = defineOp("numpy.Fabs", floating(P.abs));
