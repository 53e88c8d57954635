import { expect, it } from "vitest";
import { roundHalfEven } from "./round-half-even.js";

it("rounds to the nearest integer, halves to even, and keeps signs", () => {
  const values = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 1.2, -1.7, 0, -0];
  expect(values.map(roundHalfEven)).toEqual([0, 2, 2, -0, -2, -2, 0, 1, -2, 0, -0]);
  expect([2 ** 52 + 1, 2 ** 52 - 0.5, -(2 ** 51) - 0.5, 1e300].map(roundHalfEven)).toEqual([
    2 ** 52 + 1,
    2 ** 52,
    -(2 ** 51),
    1e300,
  ]);
  expect([Infinity, -Infinity, NaN].map(roundHalfEven)).toEqual([Infinity, -Infinity, NaN]);
});
