import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { type Tensor, tensor } from "../core/tensor.js";
import { add, multiply } from "../ops/arithmetic.js";
import { Input } from "../layers/index.js";
import { GraphFunction } from "./function.js";

describe("Function", () => {
  const [a, b] = [Input({ shape: [2] }), Input({ shape: [2] })];
  const fn = new GraphFunction({ a, b }, [add(a, b), multiply(a, 2)]);

  it("runs a graph on values and on symbolic tensors", async () => {
    const [sum, twice] = fn({ a: tensor([[1, 2]]), b: tensor([[3, 4]]) }) as [Tensor, Tensor];
    expect(await sum.array()).toEqual([[4, 6]]);
    expect(await twice.array()).toEqual([[2, 4]]);
    const [symbolic] = fn({ a: new KerasTensor([5, 2], "float32"), b: new KerasTensor([5, 2], "float32") }) as [
      KerasTensor,
    ];
    expect(symbolic.shape).toEqual([5, 2]);
  });
  it("refuses inputs of other shapes, and outputs it cannot reach", () => {
    expect(() => fn({ a: tensor([[1, 2, 3]]), b: tensor([[1, 2]]) })).toThrow(/Input 0 .*\[null, 2\].*\[1, 3\]/);
    expect(() => new GraphFunction(a, add(a, b))).toThrow();
  });
});
