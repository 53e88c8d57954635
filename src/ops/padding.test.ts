import "../backend/index.js";
import { expect, it } from "vitest";
import { tensor } from "../core/tensor.js";
import { clip } from "./arithmetic.js";
import { pad } from "./rearranging.js";

it.each([
  ["maximum", [3, 3, 1, 2, 3, 3, 3]],
  ["minimum", [1, 1, 1, 2, 3, 1, 1]],
  ["mean", [2, 2, 1, 2, 3, 2, 2]],
  ["linear_ramp", [0, 0.5, 1, 2, 3, 1.5, 0]],
] as const)("pads with the %s, as NumPy does", async (mode, expected) => {
  expect(await pad(tensor([1, 2, 3], "float32"), 2, { mode }).array()).toEqual(expected);
});
it("pads integers with whole numbers", async () => {
  expect(await pad(tensor([1, 2], "int32"), 1, { mode: "mean" }).array()).toEqual([2, 1, 2, 2]);
  expect(await pad(tensor([3, 5], "int32"), 2, { mode: "linear_ramp" }).array()).toEqual([0, 1, 3, 5, 2, 0]);
});
it("clips integers to floats where a bound is one", async () => {
  const y = clip(tensor([-1, 1, 3], "int8"), 0.5, 2.5);
  expect([y.dtype, await y.array()]).toEqual(["float32", [0.5, 1, 2.5]]);
  expect(clip(tensor([-1, 1, 3], "int8"), 0, 2).dtype).toBe("int8");
});
