import { describe, expect, it } from "vitest";
import { pairwiseSum } from "./pairwise-sum.js";

describe("pairwiseSum", () => {
  it.each([0, 1, 7, 8, 9, 127, 128, 129, 1000, 4099])("adds all of %i terms", (length) => {
    const values = Int32Array.from({ length }, (_, i) => i + 1);
    expect(pairwiseSum(values)).toBe((length * (length + 1)) / 2);
  });

  it("adds a strided part, also backwards", () => {
    const values = Float32Array.from({ length: 1000 }, (_, i) => i);
    expect(pairwiseSum(values, 3, 300, 3)).toBe(3 * 300 + (3 * 299 * 300) / 2);
    expect(pairwiseSum(values, 999, 1000, -1)).toBe(499500);
    expect(pairwiseSum(values, 5, 10, 0)).toBe(50);
  });

  it("keeps rounding errors small where a running sum does not", () => {
    const values = new Float64Array(1_000_000).fill(0.1);
    const running = values.reduce((sum, value) => sum + value, 0);
    expect(Math.abs(pairwiseSum(values) - 1e5)).toBeLessThan(1e-10);
    expect(Math.abs(running - 1e5)).toBeGreaterThan(1e-7);
  });
});
