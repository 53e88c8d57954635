import { type DType, isComplex, type TensorSpec } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { add, complex, divide, multiply, subtract } from "./binary.js";
import { equal, greaterEqual, select } from "./compare.js";
import { full } from "./create.js";
import { definePrimitive, flat, type PrimitiveFunction } from "./define.js";

type Unary = PrimitiveFunction<[x: Tensor], Tensor, object>;
type Rule = (g: Tensor, x: Tensor, y: Tensor) => Tensor;

const same = (x: TensorSpec): TensorSpec => x;
const to =
  (dtype: DType) =>
  ({ shape }: TensorSpec): TensorSpec => ({ shape, dtype });
const parts = ({ shape, dtype }: TensorSpec): TensorSpec => ({
  shape,
  dtype: dtype === "complex64" ? "float32" : dtype,
});

function unary(name: string, rule: Rule | null, infer: (x: TensorSpec) => TensorSpec = same): Unary {
  return definePrimitive(
    {
      name,
      infer: ([x]) => [infer({ shape: x!.shape, dtype: x!.dtype })],
      gradient: rule ? ([g], { inputs: [x], outputs: [y] }) => [rule(g!, x!, y!)] : flat,
    },
    (apply, x: Tensor) => apply([x], {})[0]!,
  );
}
const number = (x: Tensor, value: number): Tensor => full([], value, x.dtype);
const square = (x: Tensor): Tensor => multiply(x, x);
/** 1 - x², 1 + x², x² - 1. */
const oneMinusSquare = (x: Tensor): Tensor => subtract(number(x, 1), square(x));
const onePlusSquare = (x: Tensor): Tensor => add(number(x, 1), square(x));

export const negative = unary("negative", (g) => negative(g));
export const abs = unary(
  "abs",
  (g, x, y) =>
    isComplex(x.dtype) ? complexAbsGradient(g, x, y) : select(greaterEqual(x, number(x, 0)), g, negative(g)),
  parts,
);
/** -1, 0 or 1; NaN stays NaN. */
export const sign = unary("sign", null);
export const floor = unary("floor", null);
export const ceil = unary("ceil", null);
/** To the nearest integer, halves to even. */
export const round = unary("round", null);
export const sqrt = unary("sqrt", (g, x, y) => divide(multiply(g, number(x, 0.5)), y));
/** 1 / √x. */
export const rsqrt = unary("rsqrt", (g, x, y) => multiply(multiply(g, number(x, -0.5)), divide(y, x)));
export const exp = unary("exp", (g, _, y) => multiply(g, y));
export const expm1 = unary("expm1", (g, x, y) => multiply(g, add(y, number(x, 1))));
export const log = unary("log", (g, x) => divide(g, x));
export const log1p = unary("log1p", (g, x) => divide(g, add(x, number(x, 1))));
export const sin = unary("sin", (g, x) => multiply(g, cos(x)));
export const cos = unary("cos", (g, x) => negative(multiply(g, sin(x))));
export const tan = unary("tan", (g, _, y) => multiply(g, onePlusSquare(y)));
export const asin = unary("asin", (g, x) => multiply(g, rsqrt(oneMinusSquare(x))));
export const acos = unary("acos", (g, x) => negative(multiply(g, rsqrt(oneMinusSquare(x)))));
export const atan = unary("atan", (g, x) => divide(g, onePlusSquare(x)));
export const sinh = unary("sinh", (g, x) => multiply(g, cosh(x)));
export const cosh = unary("cosh", (g, x) => multiply(g, sinh(x)));
export const tanh = unary("tanh", (g, _, y) => multiply(g, oneMinusSquare(y)));
export const asinh = unary("asinh", (g, x) => multiply(g, rsqrt(onePlusSquare(x))));
export const acosh = unary("acosh", (g, x) =>
  multiply(g, rsqrt(multiply(subtract(x, number(x, 1)), add(x, number(x, 1))))),
);
export const atanh = unary("atanh", (g, x) => divide(g, oneMinusSquare(x)));
export const sigmoid = unary("sigmoid", (g, x, y) => multiply(g, multiply(y, subtract(number(x, 1), y))));
export const erf = unary("erf", (g, x) =>
  multiply(multiply(g, number(x, 2 / Math.sqrt(Math.PI))), exp(negative(square(x)))),
);
/** 1 - erf(x), without cancellation for large x. */
export const erfc = unary("erfc", (g, x) =>
  multiply(multiply(g, number(x, -2 / Math.sqrt(Math.PI))), exp(negative(square(x)))),
);
export const erfInv = unary("erfInv", (g, x, y) =>
  multiply(multiply(g, number(x, Math.sqrt(Math.PI) / 2)), exp(square(y))),
);
export const lgamma = unary("lgamma", (g, x) => multiply(g, digamma(x)));
export const digamma = unary("digamma", (g, x) => multiply(g, polygamma(x, 1)));

export interface PolygammaAttributes {
  readonly order: number;
}
/** The derivative of digamma of the given order (>= 1). */
export const polygamma: PrimitiveFunction<[x: Tensor, order: number], Tensor, PolygammaAttributes> = definePrimitive(
  {
    name: "polygamma",
    infer: ([x]) => [{ shape: x!.shape, dtype: x!.dtype }],
    gradient: ([g], { inputs: [x], attributes: { order } }) => [multiply(g!, polygamma(x!, order + 1))],
  },
  (
    apply: (inputs: readonly Tensor[], attributes: PolygammaAttributes) => readonly Tensor[],
    x: Tensor,
    order: number,
  ): Tensor => apply([x], { order })[0]!,
);

/** exp(-|x|) I₀(x), the exponentially scaled modified Bessel function. */
export const besselI0e = unary("besselI0e", (g, x, y) => multiply(g, subtract(besselI1e(x), multiply(sign(x), y))));
/** exp(-|x|) I₁(x). */
export const besselI1e = unary("besselI1e", (g, x, y) => {
  const atZero = equal(x, number(x, 0));
  const safe = select(atZero, number(x, 1), x);
  const slope = subtract(besselI0e(x), multiply(y, add(sign(x), divide(number(x, 1), safe))));
  return multiply(g, select(atZero, number(x, 0.5), slope));
});

export const isFinite = unary("isFinite", null, to("bool"));
export const logicalNot = unary("logicalNot", null, to("bool"));
export const bitwiseNot = unary("bitwiseNot", null);

export const real = unary("real", (g, x) => (isComplex(x.dtype) ? complex(g, number(g, 0)) : g), parts);
export const imag = unary(
  "imag",
  (g, x) => (isComplex(x.dtype) ? complex(number(g, 0), negative(g)) : multiply(g, number(g, 0))),
  parts,
);
export const conjugate = unary("conjugate", (g) => conjugate(g));

function complexAbsGradient(g: Tensor, x: Tensor, y: Tensor): Tensor {
  const zero = equal(y, number(y, 0));
  const scale = select(zero, number(y, 0), divide(g, select(zero, number(y, 1), y)));
  // JAX's convention for cotangents of complex values: the conjugate of the direction of steepest ascent.
  return conjugate(multiply(complex(scale, number(scale, 0)), x));
}
