import { afterEach, describe, expect, it } from "vitest";
import "../backend/index.js";
import { multiply } from "../ops/arithmetic.js";
import { isFloatDtype, isIntDtype, resultType, standardizeDtype } from "./dtype-functions.js";
import { KerasTensor } from "./keras-tensor.js";
import { maxEpochs, maxStepsPerEpoch, setMaxEpochs, setMaxStepsPerEpoch } from "./limits.js";
import { getSourceInputs } from "./source-inputs.js";
import { tensor } from "./tensor.js";
import { enableTracebackFiltering, isTracebackFilteringEnabled } from "./unsupported.js";

describe("questions about dtypes", () => {
  it("know floats, integers and defaults", () => {
    expect(["bfloat16", "float8_e4m3fn", "int8", "bool"].map((dtype) => isFloatDtype(dtype))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(["uint8", "int32", "bool", "float32"].map((dtype) => isIntDtype(dtype))).toEqual([true, true, false, false]);
    expect([standardizeDtype(null), standardizeDtype("int"), standardizeDtype("float16")]).toEqual([
      "float32",
      "int32",
      "float16",
    ]);
    expect(() => standardizeDtype("floaty")).toThrow(/"floaty"/);
  });
  it("promote dtypes, plain numbers and values as JAX does", () => {
    expect(resultType("uint8", "int")).toBe("uint8");
    expect(resultType("uint16", "int16", "float")).toBe("float32");
    expect(resultType(tensor([1], "bfloat16"), 2.5)).toBe("bfloat16");
    expect(resultType("int64")).toBe("int32");
  });
});

describe("limits of training", () => {
  afterEach(() => {
    setMaxEpochs(null);
    setMaxStepsPerEpoch(null);
  });
  it("are positive integers or null", () => {
    setMaxEpochs(3);
    setMaxStepsPerEpoch(5);
    expect([maxEpochs(), maxStepsPerEpoch()]).toEqual([3, 5]);
    expect(() => setMaxEpochs(0)).toThrow(/positive integer.*0/);
  });
});

describe("getSourceInputs", () => {
  it("finds every input once", () => {
    const [a, b] = [new KerasTensor([2], "float32"), new KerasTensor([2], "float32")];
    const y = multiply(multiply(a, b), a) as unknown as KerasTensor;
    expect(getSourceInputs(y)).toEqual([a, b]);
  });
});

describe("what JavaScript has not", () => {
  it("says so", () => {
    expect(isTracebackFilteringEnabled()).toBe(false);
    expect(() => enableTracebackFiltering()).toThrow(/never shortened/);
  });
});
