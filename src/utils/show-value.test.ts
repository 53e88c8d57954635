import { expect, it } from "vitest";
import { showValue } from "./show-value.js";

class Point {
  x = 1;
}
class Named {
  static className = "Shown";
}

it.each([
  [-1, "-1"],
  [-0, "-0"],
  [NaN, "NaN"],
  [3n, "3n"],
  ["a\n", '"a\\n"'],
  [null, "null"],
  [undefined, "undefined"],
  [[1, [2, [3]]], "[1, [2, [...]]]"],
  [{ a: { b: { c: 1 } } }, "{ a: { b: {...} } }"],
  [{}, "{}"],
  [new Point(), "an instance of Point"],
  [new Named(), "an instance of Shown"],
  [Object.setPrototypeOf(() => 0, Point.prototype), "an instance of Point"],
  [Point, "class Point"],
  [Math.max, "function max"],
  [
    (
      () => () =>
        0
    )(),
    "an unnamed function",
  ],
  ["x".repeat(200), `"${"x".repeat(79)}...`],
])("shows %o as %s", (value, expected) => expect(showValue(value)).toBe(expected));
