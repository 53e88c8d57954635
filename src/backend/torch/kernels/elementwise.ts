import { type DType, isComplex, isFloat, isInteger, isUnsigned } from "../../../core/dtype.js";
import { currentDevice } from "../device.js";
import { log1pOverflows, tanhLosesSign } from "../quirks.js";
import {
  converted,
  isDisguised,
  narrowed,
  ordered,
  rounded,
  scalarType,
  single,
  storedAs,
  widened,
} from "../storage.js";
import { isFloat8, isHalf, type Kernel, type Ref, type Torch, type TorchKernels } from "../torch.js";

/** The kinds of stored elements that ops tell apart. */
type Kind = "single" | "half" | "float8" | "integer" | "disguised" | "bool" | "complex";
export function kindOf(dtype: DType): Kind {
  if (dtype === "float32") return "single";
  if (isHalf(dtype)) return "half";
  if (isFloat8(dtype)) return "float8";
  if (isDisguised(dtype)) return "disguised";
  return dtype === "bool" ? "bool" : isComplex(dtype) ? "complex" : "integer";
}

/** An op that ATen has for the given kinds of elements as they are stored. */
const direct =
  (op: string, ...kinds: readonly Kind[]): Kernel =>
  (torch, inputs) =>
    kinds.includes(kindOf(inputs[0]!.dtype)) ? [torch.call(op, ...inputs.map((x) => x.ref))] : null;

/** A function of floats, computed in single precision: an ATen op, or what makes its result of single operands. */
const ofFloats =
  (op: string | ((torch: Torch, ...operands: readonly Ref[]) => Ref)): Kernel =>
  (torch, inputs, _, [spec]) => {
    const { dtype } = inputs[0]!;
    if (dtype !== "float32" && !isHalf(dtype)) return null;
    const operands = inputs.map((x) => single(torch, x.ref, dtype));
    return [rounded(torch, typeof op === "string" ? torch.call(op, ...operands) : op(torch, ...operands), spec!.dtype)];
  };
/** Single numbers, such as the decay rates of optimizers, by this package's own op, which is sooner there. */
const floatPower: Kernel = (torch, inputs, attributes, outputs) => {
  const isOne = inputs[0]!.dtype === "float32" && outputs[0]!.shape.length === 0 && currentDevice() === "cpu";
  if (isOne) return [torch.call("keras::power", inputs[0]!.ref, inputs[1]!.ref)];
  return ofFloats("pow.Tensor_Tensor")(torch, inputs, attributes, outputs);
};
/** One kernel for integers, another for the rest. */
const integersElse =
  (integers: Kernel, others: Kernel): Kernel =>
  (torch, inputs, attributes, outputs) =>
    (isInteger(inputs[0]!.dtype) ? integers : others)(torch, inputs, attributes, outputs);
const same: Kernel = (_, [x]) => [x!.ref];

/** The sign of numbers; NaN and zeros of either sign are their own. */
const sign: Kernel = (torch, [x]) => {
  if (!isFloat(x!.dtype) || isFloat8(x!.dtype)) return null;
  const nonzero = torch.call("gt.Scalar", torch.call("abs", x!.ref), 0);
  return [torch.call("where.self", nonzero, torch.call("sign", x!.ref), x!.ref)];
};
const integerSign: Kernel = (torch, [x]) => [
  isUnsigned(x!.dtype)
    ? converted(torch, torch.call("ne.Scalar", x!.ref, 0), storedAs(x!.dtype))
    : torch.call("sign", x!.ref),
];

/** Odd, also at the zeros, whose sign ATen loses. */
const besselI1e = (torch: Torch, x: Ref): Ref =>
  torch.call("where.self", torch.call("eq.Scalar", x, 0), x, torch.call("special_i1e", x));

/** Numbers beside which 1 does not count have the logarithm that is without overflow. */
function log1p(torch: Torch, x: Ref): Ref {
  const y = torch.call("log1p", x);
  return log1pOverflows() ? torch.call("where.self", torch.call("gt.Scalar", x, 1e17), torch.call("log", x), y) : y;
}

function tanh(torch: Torch, x: Ref): Ref {
  const y = torch.call("tanh", x);
  return tanhLosesSign() ? torch.call("copysign.Tensor", y, x) : y;
}

const numbers = ["single", "half", "integer", "disguised", "complex"] as const;

const polygamma: TorchKernels["polygamma"] = (torch, [x], { order }) =>
  x!.dtype === "float32" ? [torch.call("polygamma", order, x!.ref)] : null;

export const unaryKernels = {
  negative: direct("neg", ...numbers),
  abs: (torch, [x]) =>
    isUnsigned(x!.dtype) ? [x!.ref] : isFloat8(x!.dtype) || x!.dtype === "bool" ? null : [torch.call("abs", x!.ref)],
  sign: integersElse(integerSign, sign),
  floor: integersElse(same, ofFloats("floor")),
  ceil: integersElse(same, ofFloats("ceil")),
  round: integersElse(same, ofFloats("round")),
  sqrt: ofFloats("sqrt"),
  rsqrt: ofFloats("rsqrt"),
  exp: ofFloats("exp"),
  expm1: ofFloats("expm1"),
  log: ofFloats("log"),
  log1p: ofFloats(log1p),
  sin: ofFloats("sin"),
  cos: ofFloats("cos"),
  tan: ofFloats("tan"),
  asin: ofFloats("asin"),
  acos: ofFloats("acos"),
  atan: ofFloats("atan"),
  sinh: ofFloats("sinh"),
  cosh: ofFloats("cosh"),
  tanh: ofFloats(tanh),
  asinh: ofFloats("asinh"),
  acosh: ofFloats("acosh"),
  atanh: ofFloats("atanh"),
  sigmoid: ofFloats("sigmoid"),
  erf: ofFloats("erf"),
  erfc: ofFloats("erfc"),
  erfInv: ofFloats("erfinv"),
  lgamma: ofFloats("lgamma"),
  digamma: ofFloats("digamma"),
  polygamma,
  besselI0e: ofFloats("special_i0e"),
  besselI1e: ofFloats(besselI1e),
  isFinite: direct("isfinite", ...numbers),
  logicalNot: direct("logical_not", ...numbers, "bool"),
  bitwiseNot: direct("bitwise_not", "integer", "disguised", "bool"),
  real: (torch, [x]) => [isComplex(x!.dtype) ? torch.call("real", x!.ref) : x!.ref],
  imag: (torch, [x]) => [torch.call(isComplex(x!.dtype) ? "imag" : "zeros_like", x!.ref)],
  conjugate: (torch, [x]) => [isComplex(x!.dtype) ? torch.call("conj_physical", x!.ref) : x!.ref],
} satisfies TorchKernels;

/** An op of two operands whose result has the same bits whether they are signed or not, as sums and products do. */
const arithmetic = (op: string, ...more: readonly Kind[]): Kernel => direct(op, ...numbers, ...more);

/** An op on integers in a type wide enough for all results. `zero` marks the divisors that are 0, which `safe` replaces by 1. */
const division =
  (op: (torch: Torch, x: Ref, safe: Ref, zero: Ref) => Ref): Kernel =>
  (torch, [x, y], _, [spec]) => {
    const [a, b] = [widened(torch, x!.ref, x!.dtype), widened(torch, y!.ref, y!.dtype)];
    const zero = torch.call("eq.Scalar", b, 0);
    return [narrowed(torch, op(torch, a, torch.call("where.ScalarSelf", zero, 1, b), zero), spec!.dtype)];
  };
const integerDivide = division((torch, x, safe, zero) =>
  torch.call("where.ScalarSelf", zero, -1, torch.call("div.Tensor_mode", x, safe, "trunc")),
);
const integerRemainder = division((torch, x, safe, zero) =>
  torch.call("where.self", zero, x, torch.call("fmod.Tensor", x, safe)),
);
/** Modulo the range; of a negative exponent the lowest six bits count. */
const integerPower: Kernel = (torch, [x, y], _, [spec]) => {
  const exponent = widened(torch, y!.ref, y!.dtype);
  const positive = isUnsigned(y!.dtype)
    ? exponent
    : torch.call(
        "where.self",
        torch.call("lt.Scalar", exponent, 0),
        torch.call("bitwise_and.Scalar", exponent, 63),
        exponent,
      );
  const base = converted(torch, x!.ref, scalarType.int64);
  const wide = torch.call("pow.Tensor_Tensor", base, converted(torch, positive, scalarType.int64));
  return [narrowed(torch, wide, spec!.dtype)];
};

const extreme =
  (op: "maximum" | "minimum", ofBools: string): Kernel =>
  (torch, [x, y], _, [spec]) => {
    const { dtype } = x!;
    if (dtype === "bool") return [torch.call(ofBools, x!.ref, y!.ref)];
    if (isComplex(dtype) || isFloat8(dtype)) return null;
    // Against one number there is an op that passes NaN on as well.
    const [other, limit] = y!.constant !== null ? [x!, y!.constant] : [y!, x!.constant];
    const keepsShape = other.shape.length === spec!.shape.length;
    if (dtype === "float32" && limit !== null && !Number.isNaN(limit) && keepsShape)
      return [torch.call(op === "maximum" ? "clamp_min" : "clamp_max", other.ref, limit)];
    const wide = torch.call(op, ordered(torch, x!.ref, dtype), ordered(torch, y!.ref, dtype));
    return [isDisguised(dtype) ? narrowed(torch, wide, dtype) : wide];
  };

/** In double precision: the vectorized remainder of single precision is wrong where the quotient is large. */
const floatRemainder: Kernel = (torch, [x, y], _, [spec]) => {
  if (isFloat8(x!.dtype) || isComplex(x!.dtype)) return null;
  const [a, b] = [x!, y!].map(({ ref }) => converted(torch, ref, scalarType.float64));
  return [converted(torch, torch.call("fmod.Tensor", a!, b!), storedAs(spec!.dtype))];
};

/** The exact product plus the third, rounded to single precision. */
const multiplyAdd: Kernel = (torch, inputs, _, [spec]) => {
  const [x, y, z] = inputs.map((v) => converted(torch, v.ref, scalarType.float64));
  const sum = torch.call("add.Tensor", torch.call("mul.Tensor", x!, y!), z!);
  return [converted(torch, sum, storedAs(spec!.dtype))];
};

export const binaryKernels = {
  add: arithmetic("add.Tensor", "bool"),
  subtract: arithmetic("sub.Tensor"),
  multiply: arithmetic("mul.Tensor", "bool"),
  divide: integersElse(integerDivide, direct("div.Tensor", "single", "half")),
  remainder: integersElse(integerRemainder, floatRemainder),
  power: integersElse(integerPower, floatPower),
  maximum: extreme("maximum", "logical_or"),
  minimum: extreme("minimum", "logical_and"),
  atan2: ofFloats("atan2"),
  nextAfter: direct("nextafter", "single"),
  bitwiseAnd: direct("bitwise_and.Tensor", "integer", "disguised", "bool"),
  bitwiseOr: direct("bitwise_or.Tensor", "integer", "disguised", "bool"),
  bitwiseXor: direct("bitwise_xor.Tensor", "integer", "disguised", "bool"),
  complex: direct("complex", "single"),
  multiplyAdd: (torch, inputs, attributes, outputs) =>
    isFloat8(outputs[0]!.dtype) ? null : multiplyAdd(torch, inputs, attributes, outputs),
} satisfies TorchKernels;
