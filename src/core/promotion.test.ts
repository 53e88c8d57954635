import { describe, expect, it } from "vitest";
import type { DType } from "./dtype.js";
import { promote, type PromotionInput } from "./promotion.js";

const cases: readonly (readonly [inputs: readonly PromotionInput[], result: DType])[] = [
  [["uint8", "int8"], "int16"],
  [["uint32", "int32"], "int32"],
  [["uint64", "int8"], "float32"],
  [["bfloat16", "float16"], "float32"],
  [["int32", "float"], "float32"],
  [["uint8", "int"], "uint8"],
  [["bool", "int"], "int32"],
  [["complex64", "float64"], "complex64"],
  [["int32", "float16"], "float16"],
  [["float64"], "float32"],
  [["int64", "int64"], "int32"],
  [["int"], "int32"],
  [["int", "float"], "float32"],
  [[], "float32"],
];
describe("promotion follows JAX and shrinks to 32 bits", () => {
  for (const [inputs, result] of cases)
    it(`${inputs.join(" + ") || "nothing"} -> ${result}`, () => expect(promote(inputs, "float32")).toBe(result));
});
it("plain numbers follow a narrow default float", () => {
  expect(promote(["int", "float"], "float16")).toBe("float16");
  expect(promote(["int8", "float"], "bfloat16")).toBe("bfloat16");
});
it("float8 does not promote", () =>
  expect(() => promote(["float8_e5m2", "float32"], "float32")).toThrow("Cast them explicitly"));
