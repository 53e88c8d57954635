import { describe, expect, it } from "vitest";
import { Callable, isClass, isPlainFunction } from "./callable.js";

class Counter extends Callable {
  #count = 0;
  name = "counter";
  get count(): number {
    return this.#count;
  }
  protected override invoke(step: number): number {
    return (this.#count += step);
  }
}
class Double extends Counter {
  protected override invoke(step: number): number {
    return super.invoke(2 * step);
  }
}
const called = (object: Counter) => object as unknown as (step: number) => number;

describe("Callable", () => {
  it("runs invoke of the most derived class and keeps private fields", () => {
    const [counter, double] = [new Counter(), new Double()];
    called(counter)(1);
    expect([called(counter)(2), called(double)(3), counter.count, double.count]).toEqual([3, 6, 3, 6]);
  });

  it("is of its class, and has nothing of a function", () => {
    const double = new Double();
    expect([double instanceof Double, double instanceof Counter, double instanceof Function]).toEqual([
      true,
      true,
      false,
    ]);
    expect(Object.getOwnPropertyNames(double)).toEqual(["name"]);
    expect(["length", "call", "apply", "bind"].filter((key) => key in double)).toEqual([]);
    expect(double.constructor).toBe(Double);
  });
});

describe("isClass and isPlainFunction", () => {
  it("tell classes, functions and callable objects apart", () => {
    const values = [Counter, () => 0, function named() {}, new Counter(), {}, null, Math.max];
    expect(values.map(isClass)).toEqual([true, false, false, false, false, false, false]);
    expect(values.map(isPlainFunction)).toEqual([false, true, true, false, false, false, true]);
  });
});
