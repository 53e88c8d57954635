import type { DType, TensorSpec } from "../../../core/dtype.js";
import type { NDArray } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { mapUnary, type UnaryLoops } from "../elementwise.js";
import * as complexLoops from "../loops/complex.js";
import * as floats from "../loops/float-unary.js";
import * as ints from "../loops/int-unary.js";
import * as predicates from "../loops/predicate.js";
import * as bessel from "../math/bessel.js";
import * as complexMath from "../math/complex.js";
import { erf, erfc } from "../math/erf.js";
import { erfInvFloat32 } from "../math/erf-inv-float32.js";
import { lgamma } from "../math/lgamma.js";
import { digamma, polygamma } from "../math/polygamma.js";

type UnaryKernel = (inputs: readonly NDArray[], attributes: object, outputs: readonly TensorSpec[]) => NDArray[];

const kernel =
  (op: string, loops: UnaryLoops): UnaryKernel =>
  ([x], _, [spec]) => [mapUnary(op, loops, x!, spec!)];

/** Predicates write bytes; the elementwise machinery knows when it is told so. */
function predicate(
  op: string,
  loops: { [K in keyof UnaryLoops]: predicates.Predicate<never> | predicates.Predicate<unknown> },
): UnaryKernel {
  const prepared = loops as unknown as UnaryLoops;
  return ([x], _, [spec]) => [mapUnary(op, prepared, x!, spec!, true)];
}

const { calling } = floats;
const { complexUnary } = complexLoops;
/** A function of floats that takes far longer than a call. */
const special = (op: string, f: (x: number) => number): UnaryKernel => kernel(op, { float: calling(f) });
const integral = { int: ints.same, uint: ints.sameUnsigned };
const same: UnaryKernel = ([x]) => [x!];
/** One kernel for tensors of a dtype, another for the rest. */
const either =
  (dtype: DType, those: UnaryKernel, others: UnaryKernel): UnaryKernel =>
  (inputs, attributes, outputs) =>
    (inputs[0]!.dtype === dtype ? those : others)(inputs, attributes, outputs);
const logicalNot = predicate("logicalNot", {
  float: predicates.isZero,
  int: predicates.isZeroInt,
  uint: predicates.isZeroUint,
});

export const unaryKernels = {
  negative: kernel("negative", {
    float: floats.negative,
    int: ints.negative,
    uint: ints.negativeUnsigned,
    complex: complexUnary(complexMath.negative),
  }),
  abs: kernel("abs", {
    float: floats.abs,
    int: ints.abs,
    uint: ints.sameUnsigned,
    complex: complexLoops.absComplex,
  }),
  sign: kernel("sign", {
    float: floats.sign,
    int: ints.sign,
    uint: ints.signUnsigned,
    complex: complexUnary(complexMath.sign),
  }),
  floor: kernel("floor", { float: floats.floor, ...integral }),
  ceil: kernel("ceil", { float: floats.ceil, ...integral }),
  round: kernel("round", { float: floats.round, ...integral }),
  sqrt: kernel("sqrt", { float: floats.sqrt, complex: complexUnary(complexMath.sqrt) }),
  rsqrt: kernel("rsqrt", { float: floats.rsqrt, complex: complexUnary(complexMath.rsqrt) }),
  exp: kernel("exp", { float: floats.exp, complex: complexUnary(complexMath.exp) }),
  expm1: kernel("expm1", { float: floats.expm1, complex: complexUnary(complexMath.expm1) }),
  log: kernel("log", { float: floats.log, complex: complexUnary(complexMath.log) }),
  log1p: kernel("log1p", { float: floats.log1p, complex: complexUnary(complexMath.log1p) }),
  sin: kernel("sin", { float: floats.sin, complex: complexUnary(complexMath.sin) }),
  cos: kernel("cos", { float: floats.cos, complex: complexUnary(complexMath.cos) }),
  tan: kernel("tan", { float: calling(Math.tan), complex: complexUnary(complexMath.tan) }),
  asin: kernel("asin", { float: calling(Math.asin), complex: complexUnary(complexMath.asin) }),
  acos: kernel("acos", { float: calling(Math.acos), complex: complexUnary(complexMath.acos) }),
  atan: kernel("atan", { float: calling(Math.atan), complex: complexUnary(complexMath.atan) }),
  sinh: kernel("sinh", { float: calling(Math.sinh), complex: complexUnary(complexMath.sinh) }),
  cosh: kernel("cosh", { float: calling(Math.cosh), complex: complexUnary(complexMath.cosh) }),
  tanh: kernel("tanh", { float: floats.tanh, complex: complexUnary(complexMath.tanh) }),
  asinh: kernel("asinh", { float: calling(Math.asinh), complex: complexUnary(complexMath.asinh) }),
  acosh: kernel("acosh", { float: calling(Math.acosh), complex: complexUnary(complexMath.acosh) }),
  atanh: kernel("atanh", { float: calling(Math.atanh), complex: complexUnary(complexMath.atanh) }),
  sigmoid: kernel("sigmoid", { float: floats.sigmoid, complex: complexUnary(complexMath.sigmoid) }),
  erf: special("erf", erf),
  erfc: special("erfc", erfc),
  erfInv: special("erfInv", erfInvFloat32),
  lgamma: special("lgamma", lgamma),
  digamma: special("digamma", digamma),
  polygamma: ([x], { order }, [spec]) => [
    mapUnary("polygamma", { float: calling((v) => polygamma(order, v)) }, x!, spec!),
  ],
  besselI0e: special("besselI0e", bessel.besselI0e),
  besselI1e: special("besselI1e", bessel.besselI1e),
  isFinite: predicate("isFinite", {
    float: predicates.isFinite,
    int: predicates.always,
    uint: predicates.always,
    complex: predicates.isFiniteComplex,
  }),
  logicalNot,
  bitwiseNot: either("bool", logicalNot, kernel("bitwiseNot", { int: ints.bitwiseNot, uint: ints.bitwiseNotUnsigned })),
  real: either("complex64", kernel("real", { complex: complexLoops.realPart }), same),
  imag: kernel("imag", {
    float: (n, _x, _xi, out, o) => void out.fill(0, o, o + n),
    int: ints.zero,
    uint: ints.zeroUnsigned,
    complex: complexLoops.imagPart,
  }),
  conjugate: either("complex64", kernel("conjugate", { complex: complexUnary(complexMath.conjugate) }), same),
} satisfies Partial<Kernels<NDArray>>;
