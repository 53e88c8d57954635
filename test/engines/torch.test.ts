import { describe } from "vitest";
import type { DType } from "../../src/core/dtype.js";
import { NDArray } from "../../src/core/ndarray.js";
import type { PrimitiveName } from "../../src/primitives/index.js";
import { compares, dice, some, times } from "./torch-compare.js";

const ints = ["uint8", "uint16", "uint32", "int8", "int16", "int32"] as const satisfies DType[];
const floats = ["float32", "float16", "bfloat16"] as const satisfies DType[];
const close = (dtype: DType): number => (dtype === "bfloat16" ? 2 ** -7 : dtype === "float16" ? 2 ** -10 : 2e-6);

describe("single elements", () => {
  const exact = ["negative", "abs", "sign", "floor", "ceil", "round", "isFinite", "logicalNot"] as const;
  for (const op of exact)
    compares(op, (same) => {
      for (const dtype of [...floats, ...ints]) same(op, [some(dtype, [300], true)]);
    });
  compares("bitwiseNot", (same) => {
    for (const dtype of [...ints, "bool"] as const) same("bitwiseNot", [some(dtype, [300], true)]);
  });
  const functions = [
    ...["sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh"],
    ...["tanh", "asinh", "acosh", "atanh", "sigmoid", "erf", "erfc", "erfInv", "lgamma", "besselI0e", "besselI1e"],
  ] as readonly PrimitiveName[];
  for (const op of functions)
    compares(op, (same) => {
      for (const dtype of floats)
        same(op, [some(dtype, [400], true)], {}, { within: close(dtype) * 4, signOfZero: op !== "tanh" });
    });
  compares("digamma and polygamma", (same) => {
    const x = new NDArray(Float32Array.from([0.1, 0.5, 1, 1.5, 2, 10, 100, 1e4]), [8], "float32");
    same("digamma", [x], {}, { within: 1e-5 });
    for (const order of [1, 2, 3]) same("polygamma", [x], { order }, { within: 1e-5 });
  });
  compares("complex numbers", (same) => {
    const z = some("complex64", [100]);
    const w = some("complex64", [100]);
    for (const op of ["negative", "real", "imag", "conjugate", "sqrt", "exp", "log", "sin", "tanh"] as const)
      same(op, [z], {}, { within: 1e-5, signOfZero: false });
    same("abs", [z], {}, { within: 1e-6 });
    for (const op of ["add", "subtract", "multiply", "divide"] as const)
      same(op, [z, w], {}, { within: 1e-5, signOfZero: false });
    for (const op of ["equal", "notEqual"] as const) same(op, [z, w]);
    same("complex", [some("float32", [50], true), some("float32", [50], true)]);
  });
});

describe("pairs of elements", () => {
  for (const op of ["add", "subtract", "multiply", "divide"] as const)
    compares(op, (same) => {
      for (const dtype of [...floats, ...ints]) same(op, [some(dtype, [600], true), some(dtype, [600], true)]);
      times(30, () => {
        const full = dice.shape(1 + dice.below(4));
        const part = full.map((d) => (dice.below(3) === 0 ? 1 : d)).slice(dice.below(full.length));
        const pair = [some("float32", full, true), some("float32", part, true)];
        same(op, dice.below(2) ? pair : pair.reverse());
      });
    });
  for (const op of ["maximum", "minimum", "remainder"] as const)
    compares(op, (same) => {
      for (const dtype of [...floats, ...ints]) {
        const pair = [some(dtype, [600], true), some(dtype, [600], true)];
        // Which of two zeros is the larger is left to libtorch.
        same(op, pair, {}, { signOfZero: op === "remainder" });
        same(op, [pair[0]!, some(dtype, [])], {}, { signOfZero: op === "remainder" });
      }
    });
  compares("power", (same) => {
    for (const dtype of ints) same("power", [some(dtype, [400], true), some(dtype, [400], true)]);
    for (const dtype of floats)
      same("power", [some(dtype, [600], true), some(dtype, [600], true)], {}, { within: 4 * close(dtype) });
  });
  compares("atan2, nextAfter and multiplyAdd", (same) => {
    const pair = (dtype: DType): NDArray[] => [some(dtype, [600], true), some(dtype, [600], true)];
    same("atan2", pair("float32"), {}, { within: 1e-6 });
    for (const dtype of floats) same("nextAfter", pair(dtype));
    for (const dtype of floats) same("multiplyAdd", [...pair(dtype), some(dtype, [600], true)]);
  });
  compares("bits", (same) => {
    for (const dtype of ints)
      for (const op of ["bitwiseAnd", "bitwiseOr", "bitwiseXor"] as const)
        same(op, [some(dtype, [300], true), some(dtype, [300], true)]);
    for (const dtype of ints)
      for (const op of ["shiftLeft", "shiftRightLogical", "shiftRightArithmetic"] as const)
        same(op, [some(dtype, [400], true), some(dtype, [400], true)]);
  });
  compares("comparisons", (same) => {
    for (const dtype of [...floats, ...ints, "bool"] as const)
      for (const op of ["equal", "notEqual", "less", "lessEqual", "greater", "greaterEqual"] as const) {
        same(op, [some(dtype, [300], true), some(dtype, [300], true)]);
        same(op, [some(dtype, [30], true), some(dtype, [], true)]);
      }
    for (const op of ["logicalAnd", "logicalOr", "logicalXor"] as const)
      same(op, [some("bool", [50]), some("bool", [50])]);
  });
  compares("select", (same) => {
    for (const dtype of [...floats, ...ints, "bool", "complex64"] as const)
      same("select", [some("bool", [4, 5]), some(dtype, [5], true), some(dtype, [4, 1], true)]);
  });
});

describe("conversions and creation", () => {
  const all = [...floats, ...ints, "bool"] as const;
  compares("cast", (same) => {
    for (const from of all)
      for (const dtype of all) if (from !== dtype) same("cast", [some(from, [300], true)], { dtype });
    for (const dtype of ["float8_e4m3fn", "float8_e5m2"] as const) {
      same("cast", [some("float32", [400], true)], { dtype });
      same("cast", [some("float32", [400], true).astype(dtype)], { dtype: "float32" });
    }
    same("cast", [some("float32", [20], true)], { dtype: "complex64" });
    same("cast", [some("complex64", [20])], { dtype: "float32" });
  });
  compares("bitcast", (same) => {
    const widths = [
      ["float32", "int32", "uint32"],
      ["float16", "bfloat16", "int16", "uint16"],
      ["int8", "uint8"],
    ] as const;
    for (const group of widths)
      for (const from of group)
        for (const dtype of group) if (from !== dtype) same("bitcast", [some(from, [50], true)], { dtype });
  });
  compares("full and iota", (same) => {
    for (const dtype of all) {
      for (const value of [0, 1, -1, 300, 70000, NaN]) same("full", [], { shape: [2, 3], value, dtype });
      if (dtype !== "bool") same("iota", [], { shape: [3, 40, 2], axis: 1, dtype });
    }
    same("full", [], { shape: [], value: -0, dtype: "float32" });
  });
});

describe("folds", () => {
  for (const op of ["sum", "product", "max", "min"] as const)
    compares(op, (same) => {
      times(40, () => {
        const dtype = [...floats, ...ints][dice.below(9)]!;
        const x = some(dtype, dice.shape(1 + dice.below(4)), op === "max" || op === "min");
        const axes = x.shape.map((_, i) => i).filter(() => dice.below(2));
        const within = op === "max" || op === "min" ? 0 : 8 * close(dtype);
        same(op, [x], { axes, keepdims: dice.below(2) === 1 }, { within, signOfZero: false });
      });
      same(op, [some("float32", [0, 3])], { axes: [0], keepdims: false });
    });
  compares("a long sum keeps its digits", (same) => {
    const large = new NDArray(new Float32Array(2e6).fill(0.1), [2e6], "float32");
    same("sum", [large], { axes: [0], keepdims: false }, { within: 1e-6 });
  });
  compares("all and any", (same) => {
    for (const op of ["all", "any"] as const)
      for (const axes of [[], [0], [1], [0, 2], [0, 1, 2]])
        same(op, [some("bool", [2, 3, 2])], { axes, keepdims: true });
  });
  compares("argMax and argMin, with ties and NaN", (same) => {
    for (const op of ["argMax", "argMin"] as const)
      for (const dtype of [...floats, ...ints, "bool"] as const)
        for (const axis of [0, 1]) same(op, [some(dtype, [7, 9], true)], { axis });
  });
  compares("running sums and products", (same) => {
    for (const op of ["cumulativeSum", "cumulativeProduct"] as const)
      for (const dtype of [...floats, ...ints])
        for (const reverse of [false, true])
          same(op, [some(dtype, [3, 6])], { axis: 1, reverse }, { within: 8 * close(dtype) });
  });
});
