import { describe, expect, it } from "vitest";
import "../backend/index.js";
import "../ops/operators.js";
import { full } from "../primitives/index.js";
import { add } from "../ops/arithmetic.js";
import { autocastDType, nameScope } from "./scopes.js";
import { StatelessScope } from "./stateless-scope.js";
import { liveTensors, tensor, TensorScope } from "./tensor.js";
import { Variable } from "./variable.js";

describe("assignment", () => {
  it("replaces the value, converted to the variable's dtype", async () => {
    const v = new Variable([1.5, 2]);
    v.assign([3, 4]);
    expect([await v.value.array(), v.dtype]).toEqual([[3, 4], "float32"]);
  });
  it("refuses another shape", () => {
    const v = new Variable([1.5, 2], { name: "kernel" });
    expect(() => v.assign([1.5])).toThrow('Variable "kernel" has shape [2] and cannot hold a value of shape [1].');
  });
  it("inside a stateless scope is recorded, and nested scopes read through", async () => {
    const v = new Variable([1.5]);
    {
      using outer = new StatelessScope();
      v.assign([2.5]);
      {
        using inner = new StatelessScope();
        expect(await v.value.array()).toEqual([2.5]);
        v.assign([3.5]);
        expect(inner.updates.size).toBe(1);
      }
      expect(await v.value.array()).toEqual([2.5]);
      expect(await outer.updates.get(v)!.array()).toEqual([2.5]);
    }
    expect(await v.value.array()).toEqual([1.5]);
  });
});

describe("creation", () => {
  it("takes the path from the open name scopes", () => {
    using _a = nameScope("model");
    using _b = nameScope("dense");
    expect(new Variable([1.5], { name: "bias" }).path).toBe("model/dense/bias");
  });
  it("waits until the outermost stateless scope ends", () => {
    let v: Variable;
    {
      using _ = new StatelessScope();
      v = new Variable((shape, { dtype }) => full(shape, 7, dtype), { shape: [2] });
      expect(v.isInitialized).toBe(false);
    }
    expect(v.isInitialized).toBe(true);
  });
  it("needs a known shape for an initializer, and a name without slashes", () => {
    expect(() => new Variable((shape, { dtype }) => full(shape, 0, dtype), { shape: [NaN], name: "v" })).toThrow(
      "needs a fully known shape",
    );
    expect(() => new Variable([1.5], { name: "a/b" })).toThrow('cannot contain "/"');
  });
});

it("floats are cast where an autocast scope is open, ints are not", () => {
  const [weight, count] = [new Variable([1.5]), new Variable([1])];
  autocastDType.run("float16", () => {
    expect([weight.value.dtype, weight.dtype, count.value.dtype]).toEqual(["float16", "float16", "int32"]);
  });
  expect(weight.value.dtype).toBe("float32");
});

describe("scopes of tensors", () => {
  it("free what does not escape", async () => {
    const before = liveTensors();
    const kept = (() => {
      using scope = new TensorScope();
      const x = add(tensor([1.5]), 1);
      add(x, x);
      return scope.release(x);
    })();
    expect(await kept.array()).toEqual([2.5]);
    expect(liveTensors()).toBe(before + 1);
    kept.dispose();
    expect(liveTensors()).toBe(before);
  });
  it("say so when a freed tensor is used", () => {
    const x = (() => {
      using _ = new TensorScope();
      return tensor([1.5]);
    })();
    expect(() => add(x, 1)).toThrow("was freed when its scope ended");
  });
  it("leave variables alone", async () => {
    const v = new Variable([1.5]);
    {
      using _ = new TensorScope();
      v.assign(add(v.value, 1));
    }
    expect(await v.value.array()).toEqual([2.5]);
  });
});
