import { describe, expect, it } from "vitest";
import { PyFloat } from "../utils/py-float.js";
import type { Field } from "./field.js";
import * as f from "./fields.js";

const read = (field: Field<unknown, unknown>, value: unknown) => field.read(value, "Conv.arg", "Conv");

describe("kinds of fields", () => {
  it.each<[string, Field<unknown, unknown>, unknown, unknown]>([
    ["positiveInt", f.positiveInt(), 3, 3],
    ["positiveInt", f.positiveInt(), new PyFloat(3), 3],
    ["nonNegativeInt", f.nonNegativeInt(0), 0, 0],
    ["int", f.int(), -4, -4],
    ["float", f.float(), 1e-7, 1e-7],
    ["float", f.float(), Infinity, Infinity],
    ["bool", f.bool(), false, false],
    ["string", f.string(), "", ""],
    ["oneOf", f.oneOf(["valid", "same"], { lowercase: true }), "SAME", "same"],
    ["ints", f.ints(2), 3, [3, 3]],
    ["ints", f.ints(2), [3, 4], [3, 4]],
    ["ints with zeros", f.ints(3, { allowZero: true }), 0, [0, 0, 0]],
    ["intList", f.intList(), [-1, 4], [-1, 4]],
    ["intOrInts", f.intOrInts(), -1, -1],
    ["axis", f.axis(-1), [1, 2], [1, 2]],
    ["shape", f.shape(), [null, 0, 3], [null, 0, 3]],
    ["list", f.list(f.oneOf(["a", "b"])), ["b", "a"], ["b", "a"]],
    ["dict", f.dict(f.int()), { some_key: 1, otherKey: 2 }, { some_key: 1, otherKey: 2 }],
    ["optional", f.optional(f.int()), null, null],
    ["derived", f.derived(f.optional(f.int()), (value) => value ?? 7), null, 7],
    ["any", f.any(), { a: 1 }, { a: 1 }],
  ])("%s reads %4$j from %3$j", (_kind, field, value, expected) => {
    const held = read(field, value);
    expect(held).toEqual(expected);
    expect(field.write(held)).toEqual(expected);
  });

  it.each<[string, Field<unknown, unknown>, unknown, string]>([
    ["positiveInt", f.positiveInt(), 0, "a positive integer. Received: 0."],
    ["positiveInt", f.positiveInt(), true, "a positive integer. Received: true."],
    ["nonNegativeInt", f.nonNegativeInt(), -1, "an integer >= 0. Received: -1."],
    ["int", f.int(), 1.5, "an integer. Received: 1.5."],
    ["float", f.float({ min: 0, max: 1 }), 2, "a number >= 0 and <= 1. Received: 2."],
    ["float", f.float({ above: 0 }), 0, "a number > 0. Received: 0."],
    ["float", f.float({ min: 0 }), NaN, "a number >= 0. Received: NaN."],
    ["float", f.float(), "1", 'a number. Received: "1".'],
    ["string", f.string(), 1, "a string. Received: 1."],
    ["oneOf", f.oneOf(["valid", "same"]), "SAME", 'one of "valid", "same". Received: "SAME".'],
    ["ints", f.ints(2), [1, 2, 3], "one or 2 positive integers. Received: [1, 2, 3]."],
    ["ints", f.ints(2), [1, 0], "one or 2 positive integers. Received: [1, 0]."],
    ["ints", f.ints(2), 1.5, "one or 2 positive integers. Received: 1.5."],
    ["ints", f.ints(1), "3", 'one of positive integers. Received: "3".'],
    ["ints with zeros", f.ints(2, { allowZero: true }), -1, "one or 2 integers >= 0. Received: -1."],
    ["intList", f.intList({ min: 0 }), [-1], "an array of integers >= 0. Received: [-1]."],
    ["shape", f.shape(), [-1], "with null for unknown dimensions. Received: [-1]."],
    ["list", f.list(f.int()), 3, "an array. Received: 3."],
    ["list", f.list(f.int()), [1, "2"], 'Conv.arg[1]` must be an integer. Received: "2".'],
    ["dict", f.dict(f.int()), { a: null }, "Conv.arg.a` must be an integer. Received: null."],
    ["dict", f.dict(f.int()), [], "a plain object. Received: []."],
    ["optional", f.optional(f.int()), "x", 'an integer. Received: "x".'],
    ["any", f.any(), undefined, "`Conv.arg` is required: any value."],
  ])("%s refuses %3$j", (_kind, field, value, message) => {
    expect(() => read(field, value)).toThrow(TypeError);
    expect(() => read(field, value)).toThrow(message);
  });

  it("are required without a fallback", () => {
    expect([f.int().fallback, f.int({ min: 1 }).fallback, f.int(0).fallback]).toEqual([undefined, undefined, 0]);
    expect([f.list(f.int()).fallback, f.list(f.int(), []).fallback]).toEqual([undefined, []]);
    expect([f.any().fallback, f.any<number | null>(null).fallback]).toEqual([undefined, null]);
    expect([f.optional(f.int()).fallback, f.optional(f.int(), 3).fallback, f.optional(f.int(3)).fallback]).toEqual([
      null,
      3,
      null,
    ]);
  });

  it("keep their spelling through optional", () => {
    expect(f.optional(f.float(1, { savedAs: "epsilon_1" })).savedAs).toBe("epsilon_1");
    expect(f.optional(f.float(), null, { saved: "whenSet" }).saved).toBe("whenSet");
  });

  it("copy arrays, so that later changes outside do not reach the object", () => {
    const sizes = [1, 2];
    const held = read(f.ints(2), sizes);
    sizes[0] = 9;
    expect(held).toEqual([1, 2]);
  });
});
