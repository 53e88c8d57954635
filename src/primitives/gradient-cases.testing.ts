import type { Tensor } from "../core/tensor.js";
import { controlCases, linalgCases } from "./gradient-cases-linalg.testing.js";
import { apart, type GradientCase, input, int32, one, two } from "./gradient-inputs.testing.js";
import * as P from "./index.js";

export type { GradientCase } from "./gradient-inputs.testing.js";

const plain = input([2, 3]);
const positive = input([2, 3], 0.4, 2.5);
const unit = input([2, 3], -0.8, 0.8);
const unary: GradientCase[] = [
  ...(
    [
      "negative",
      "abs",
      "exp",
      "expm1",
      "sin",
      "cos",
      "tan",
      "atan",
      "sinh",
      "cosh",
      "tanh",
      "asinh",
      "sigmoid",
      "erf",
      "erfc",
      "besselI0e",
      "besselI1e",
    ] as const
  ).map((name) => one(name, P[name], plain)),
  ...(["sqrt", "rsqrt", "log", "log1p", "lgamma", "digamma"] as const).map((name) => one(name, P[name], positive)),
  ...(["asin", "acos", "atanh", "erfInv"] as const).map((name) => one(name, P[name], unit)),
  one("acosh", P.acosh, input([2, 3], 1.3, 3)),
  one("polygamma", (x) => P.polygamma(x, 1), positive),
  ...(["sign", "floor", "ceil", "round"] as const).map((name) =>
    one(name, (x) => P.multiply(P[name](x), x), plain, "as a factor"),
  ),
  one("stopGradient", (x) => P.multiply(x, x), plain, "beside it"),
];

const binary: GradientCase[] = [
  ...(["add", "subtract", "multiply", "divide", "maximum", "minimum", "atan2"] as const).map((name) =>
    two(name, P[name], input([2, 3], 0.3, 2, 1), input([2, 3], 0.5, 2.2, 2)),
  ),
  ...(["add", "multiply", "divide"] as const).map((name) =>
    two(name, P[name], input([2, 3], 0.3, 2, 1), input([3], 0.5, 2.2, 2), "row"),
  ),
  ...(["subtract", "multiply"] as const).map((name) =>
    two(name, P[name], input([2, 1], 0.3, 2, 1), input([4, 1, 3], 0.5, 2.2, 2), "both spread"),
  ),
  two("maximum", P.maximum, apart([2, 3]), { values: Float64Array.of(0.45, 0.55, 0.65), shape: [3] }, "row"),
  two("power", P.power, positive, input([2, 3], -1.5, 2.5, 4)),
  two("remainder", P.remainder, apart([5], 2.15), { values: Float64Array.of(0.95, 1.02, 1.3, 1.55, 1.31), shape: [5] }),
  two("multiplyAdd", (x, y) => P.multiplyAdd(x, y, P.multiply(x, y)), plain, input([3], -1, 1, 5)),
  two("select", (x, y) => P.select(P.greater(x, y), P.multiply(x, y), y), plain, input([3], -1, 1, 5)),
];

const axes = [1];
const reductions: GradientCase[] = [
  one("sum", (x) => P.sum(P.multiply(x, x), axes), input([2, 3, 2])),
  one("max", (x) => P.max(x, axes), apart([2, 4, 2])),
  one("min", (x) => P.min(x, [0, 2], true), apart([2, 4, 2])),
  one("product", (x) => P.product(x, axes), input([2, 4, 2])),
  one(
    "product",
    (x) => P.product(x, [0, 2]),
    { values: Float64Array.of(0, 1.5, -2, 0.5, 0, 0, 3, 1), shape: [2, 2, 2] },
    "with zeros",
  ),
  one("cumulativeSum", (x) => P.cumulativeSum(P.multiply(x, x), 1), input([2, 4])),
  one("cumulativeSum", (x) => P.cumulativeSum(P.multiply(x, x), 0, true), input([3, 2]), "reversed"),
  one("cumulativeProduct", (x) => P.cumulativeProduct(x, 1), input([2, 4])),
  one(
    "cumulativeProduct",
    (x) => P.cumulativeProduct(x, 0, true),
    { values: Float64Array.of(1.2, 0, -0.7, 2, 0.4, 1), shape: [3, 2] },
    "reversed, with a zero",
  ),
];

const square = (x: Tensor): Tensor => P.multiply(x, x);
const movement: GradientCase[] = [
  one("reshape", (x) => P.reshape(square(x), [3, 4]), input([2, 6])),
  one("transpose", (x) => P.transpose(square(x), [2, 0, 1]), input([2, 3, 2])),
  one("broadcastTo", (x) => P.broadcastTo(square(x), [4, 2, 3]), input([2, 1])),
  one("slice", (x) => P.slice(square(x), [1, 0], [6, 3], [2, 1]), input([7, 3])),
  one("pad", (x) => P.pad(square(x), { low: [1, -1], high: [0, 2], interior: [2, 0], value: 3 }), input([3, 4])),
  one("reverse", (x) => P.reverse(square(x), [1]), input([2, 3])),
  two(
    "concatenate",
    (x, y) => P.concatenate([square(x), P.multiply(x, x), y], 1),
    input([2, 3]),
    input([2, 2], 0, 1, 9),
  ),
  one("dynamicSlice", (x) => P.dynamicSlice(square(x), int32([1, 9], [2]), [2, 2]), input([4, 3])),
  two(
    "dynamicUpdateSlice",
    (x, y) => P.dynamicUpdateSlice(square(x), square(y), int32([1, 1], [2])),
    input([4, 3]),
    input([2, 2], 0, 1, 9),
  ),
  one("cast", (x) => P.cast(P.cast(square(x), "float32"), "float32"), plain),
];

const indexing: GradientCase[] = [
  one("take", (x) => P.take(square(x), int32([2, 0, 2, 9], [2, 2]), 1, "clip"), input([2, 3, 2])),
  one("take", (x) => P.take(square(x), int32([1, 5], [2]), 0, "zero"), input([2, 3]), "outside"),
  one("takeAlongAxis", (x) => P.takeAlongAxis(square(x), int32([1, 1, 0, 2, 0, 1], [2, 3]), 1, "clip"), input([2, 3])),
  one("gather", (x) => P.gather(square(x), int32([0, 1, 1, 2, 0, 1], [3, 2]), "clip"), input([2, 3, 2])),
  ...(["add", "set"] as const).map((mode) =>
    two(
      "scatter",
      (x, y) => P.scatter(square(x), int32([2, 0], [2, 1]), square(y), mode),
      input([4, 3]),
      input([2, 3], 0, 1, 9),
      mode,
    ),
  ),
  two(
    "scatter",
    (x, y) => P.scatter(square(x), int32([2, 0], [2, 1]), square(y), "multiply"),
    input([4, 3]),
    input([2, 3], 0.5, 1, 9),
    "multiply",
  ),
  ...(["add", "set"] as const).map((mode) =>
    two(
      "scatterAlongAxis",
      (x, y) => P.scatterAlongAxis(square(x), int32([2, 0, 1, 2], [2, 2]), square(y), 1, mode),
      input([2, 3]),
      input([2, 2], 0, 1, 9),
      mode,
    ),
  ),
  one("sort", (x) => P.sort(square(x), 1), apart([2, 5])),
  one("sort", (x) => P.sort(square(x), 0, true), apart([5, 2]), "descending"),
  one("topK", (x) => P.topK(square(x), 2)[0], apart([2, 5])),
];

const attributes = {
  strides: [2, 1],
  padding: [
    [1, 0],
    [1, 1],
  ] as const,
  dilation: [1, 2],
  groups: 2,
};
const pool = {
  window: [2, 3],
  strides: [2, 1],
  padding: [
    [0, 1],
    [1, 1],
  ] as const,
};
const windows: GradientCase[] = [
  two(
    "dot",
    (x, y) => P.dot(x, y, { contract: [[2], [1]], batch: [[0], [2]] }),
    input([2, 3, 4]),
    input([5, 4, 2], -1, 1, 3),
  ),
  two(
    "dot",
    (x, y) =>
      P.dot(x, y, {
        contract: [
          [0, 2],
          [2, 0],
        ],
        batch: [[], []],
      }),
    input([2, 3, 4]),
    input([4, 2, 2], -1, 1, 3),
    "two axes",
  ),
  two("convolution", (x, k) => P.convolution(x, k, attributes), input([2, 5, 6, 4]), input([3, 2, 2, 6], -1, 1, 3)),
  two(
    "convolutionInputGradient",
    (g, k) => P.convolutionInputGradient(g, k, attributes, [5, 6]),
    input([2, 2, 6, 6]),
    input([3, 2, 2, 6], -1, 1, 3),
  ),
  two(
    "convolutionKernelGradient",
    (x, g) => P.convolutionKernelGradient(x, g, attributes, [3, 2]),
    input([2, 5, 6, 4]),
    input([2, 2, 6, 6], -1, 1, 3),
  ),
  one("maxPool", (x) => P.maxPool(square(x), pool), apart([2, 5, 4, 2])),
  two(
    "maxPoolGradient",
    (x, g) => P.maxPoolGradient(x, square(g), pool),
    apart([2, 4, 4, 2]),
    input([2, 2, 4, 2], -1, 1, 3),
  ),
  two(
    "maxPoolSelect",
    (x, t) => P.maxPoolSelect(x, square(t), pool),
    apart([2, 4, 4, 2]),
    input([2, 4, 4, 2], -1, 1, 3),
  ),
  one("sumPool", (x) => P.sumPool(square(x), pool), input([2, 5, 4, 2])),
  one("sumPoolGradient", (g) => P.sumPoolGradient(square(g), pool, [4, 4]), input([2, 2, 4, 2])),
  two("fft", (x, y) => P.fft(square(x), y, false), input([2, 5]), input([2, 5], -1, 1, 3)),
];

export const gradientCases: readonly GradientCase[] = [
  ...unary,
  ...binary,
  ...reductions,
  ...movement,
  ...indexing,
  ...windows,
  ...linalgCases,
  ...controlCases,
];

/** Primitives whose results do not vary smoothly with a float input, that make values, or (complex ones) that ops test. */
export const withoutGradient: ReadonlySet<P.PrimitiveName> = new Set([
  "isFinite",
  "logicalNot",
  "bitwiseNot",
  "nextAfter",
  "bitwiseAnd",
  "bitwiseOr",
  "bitwiseXor",
  "shiftLeft",
  "shiftRightLogical",
  "shiftRightArithmetic",
  "equal",
  "notEqual",
  "less",
  "lessEqual",
  "greater",
  "greaterEqual",
  "logicalAnd",
  "logicalOr",
  "logicalXor",
  "full",
  "iota",
  "bitcast",
  "all",
  "any",
  "argMax",
  "argMin",
  "argSort",
  "searchSorted",
  "eig",
  // Of modules that only their library runs; the torch engine's tests compare with its own gradients.
  "foreignCall",
  "foreignGradient",
  "threefry",
  "randomBits",
  "whileLoop",
  "real",
  "imag",
  "conjugate",
  "complex",
]);
