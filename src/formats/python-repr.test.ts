import { expect, it } from "vitest";
import { pythonRepr } from "./python-repr.js";

it.each([
  [1, "1.0"],
  [-0, "-0.0"],
  [0.1, "0.1"],
  [1e-7, "1e-07"],
  [0.0001, "0.0001"],
  [0.00001234, "1.234e-05"],
  [Math.fround(0.001), "0.0010000000474974513"],
  [1e15, "1000000000000000.0"],
  [1e16, "1e+16"],
  [123456789.125, "123456789.125"],
  [-1.5e300, "-1.5e+300"],
  [5e-324, "5e-324"],
  [NaN, "NaN"],
  [-Infinity, "-Infinity"],
])("%d is printed as %s", (value, text) => {
  expect(pythonRepr(value)).toBe(text);
});
