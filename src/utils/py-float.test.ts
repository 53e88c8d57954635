import { describe, expect, it } from "vitest";
import { PyFloat, pyFloat, withoutPyFloats } from "./py-float.js";

describe("PyFloat", () => {
  it("marks whole numbers only and behaves as its number", () => {
    expect(pyFloat(0.5)).toBe(0.5);
    expect(pyFloat(Infinity)).toBe(Infinity);
    const one = pyFloat(1);
    expect(one).toBeInstanceOf(PyFloat);
    expect([Number(one) + 1, `${String(one)}`, JSON.stringify({ one })]).toEqual([2, "1", '{"one":1}']);
  });

  it("comes out of nested values", () => {
    class Other {
      value = new PyFloat(1);
    }
    const other = new Other();
    const given = { a: [new PyFloat(1), { b: new PyFloat(2) }], other };
    expect(withoutPyFloats(given)).toEqual({ a: [1, { b: 2 }], other });
    expect((withoutPyFloats(given) as typeof given).other).toBe(other);
    expect(given.a[0]).toBeInstanceOf(PyFloat);
    expect(Object.keys(withoutPyFloats(JSON.parse('{"__proto__": 1}')) as object)).toEqual(["__proto__"]);
  });
});
