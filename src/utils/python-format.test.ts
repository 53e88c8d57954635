import { expect, test } from "vitest";
import { exponential, fixed, pythonFloat } from "./python-format.js";

test("fixed writes what Python's .4f and .0f write", () => {
  const cases: [number, number, string][] = [
    [0.03125, 4, "0.0312"],
    [0.09375, 4, "0.0938"],
    [2.5, 0, "2"],
    [3.5, 0, "4"],
    [0.5, 0, "0"],
    [1e25, 4, "10000000000000000905969664.0000"],
    [-0.00004, 4, "-0.0000"],
    [123.456, 4, "123.4560"],
    [0.15, 1, "0.1"],
    [0.25, 1, "0.2"],
    [NaN, 4, "nan"],
    [-Infinity, 4, "-inf"],
  ];
  for (const [value, digits, text] of cases) expect(fixed(value, digits)).toBe(text);
});

test("exponential pads the exponent", () => {
  expect(exponential(0.00012345678, 4)).toBe("1.2346e-04");
  expect(exponential(0, 4)).toBe("0.0000e+00");
  expect(exponential(1.5e-300, 4)).toBe("1.5000e-300");
  expect(exponential(NaN, 4)).toBe("nan");
  expect(exponential(0.125, 1)).toBe("1.2e-01");
  expect(exponential(-2.5, 0)).toBe("-2e+00");
});

test("pythonFloat writes what str() of a float writes", () => {
  expect([1, 0.1, 1e16, 123456789012345, 0.0001, 0.00001, -0].map(pythonFloat)).toEqual([
    "1.0",
    "0.1",
    "1e+16",
    "123456789012345.0",
    "0.0001",
    "1e-05",
    "-0.0",
  ]);
});
