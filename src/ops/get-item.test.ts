import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { jit } from "../core/jit.js";
import { KerasTensor } from "../core/keras-tensor.js";
import type { IndexEntry } from "../core/operand.js";
import { tensor, type Tensor } from "../core/tensor.js";
import { Variable } from "../core/variable.js";
import { expectGradients, sample } from "./differences.testing.js";
import { getItem } from "./get-item.js";
import { greater } from "./logic.js";
import "./operators.js";

const x = tensor(Array.from({ length: 3 }, (_, i) => Array.from({ length: 4 }, (_, j) => 10 * i + j)));

describe("getItem", () => {
  it.each<[string, IndexEntry[], unknown]>([
    ["positions", [1], [10, 11, 12, 13]],
    ["positions from the end", [-1, -2], 22],
    [
      "slices",
      [{ start: 1 }, { start: 0, stop: -1, step: 2 }],
      [
        [10, 12],
        [20, 22],
      ],
    ],
    ["slices backwards", [0, { step: -1 }], [3, 2, 1, 0]],
    ["slices backwards from a place", [0, { start: 2, stop: null, step: -2 }], [2, 0]],
    ["empty slices", [0, { start: 3, stop: 1 }], []],
    ["new axes", [null, 0, null, { stop: 2 }], [[[0, 1]]]],
    ["dots", ["...", 0], [0, 10, 20]],
    [
      "arrays",
      [[2, 0, -1]],
      [
        [20, 21, 22, 23],
        [0, 1, 2, 3],
        [20, 21, 22, 23],
      ],
    ],
    [
      "arrays side by side",
      [
        [0, 1],
        [2, 3],
      ],
      [2, 13],
    ],
    [
      "arrays that broadcast",
      [
        [[0], [2]],
        [1, 3],
      ],
      [
        [1, 3],
        [21, 23],
      ],
    ],
    ["arrays and positions", [1, [0, 3]], [10, 13]],
    ["arrays outside, which count as the nearest", [[9, -9], 0], [20, 0]],
  ])("reads %s", async (_, key, expected) => expect(await getItem(x, key).array()).toEqual(expected));

  it("puts arrays that are not neighbours in front", () => {
    expect(getItem(sample([2, 3, 4]), [[0, 1, 1], { start: 1 }, [0, 1, 2]]).shape).toEqual([3, 2]);
    expect(getItem(sample([2, 3, 4]), [{ start: 0 }, [0, 1], [0, 1]]).shape).toEqual([2, 2]);
    expect(getItem(sample([3, 4]), [[0, 1], "...", [0, 1]]).shape).toEqual([2]);
  });
  it("reads by masks in eager code", async () => {
    expect(await getItem(x, [greater(x, 20)]).array()).toEqual([21, 22, 23]);
    expect(await getItem(x, [tensor([true, false, true]), 0]).array()).toEqual([0, 20]);
    expect(() => jit((t: Tensor) => getItem(t, [greater(t, 20)]))(x)).toThrow("depends on values");
    expect(() => getItem(x, [tensor([true, false])])).toThrow("does not fit");
  });
  it("reads tensors, variables and symbolic tensors as x.slice", async () => {
    expect(await x.slice(0, 1).item()).toBe(1);
    expect(await new Variable(x).slice(0, 1).item()).toBe(1);
    const symbolic = new KerasTensor([null, 5, 16]);
    expect(symbolic.slice({ stop: 5 }, { start: 3 }, { start: 3, stop: 12, step: 2 }).shape).toEqual([null, 2, 5]);
    expect(symbolic.slice("...", null, [1, 2]).shape).toEqual([null, 5, 1, 2]);
    expect(symbolic.slice(new KerasTensor([null], "bool")).shape).toEqual([null, 5, 16]);
  });
  it("says what is wrong with a key", () => {
    expect(() => x.slice(3)).toThrow("Index 3 is out of bounds for axis 0 of size 3.");
    expect(() => x.slice(0, 0, 0)).toThrow("too long");
    expect(() => x.slice("...", "...")).toThrow("only once");
    expect(() => x.slice({ step: 0 })).toThrow("must not be 0");
    expect(() => x.slice(1.5)).toThrow("must be an integer");
    expect(() => x.slice([0.5])).toThrow("integers or booleans");
  });
  it("has gradients", async () => {
    const square = (t: Tensor): Tensor => t.mul(t);
    await expectGradients((t) => getItem(square(t), [{ step: -2 }, null, 1]), [sample([4, 3])]);
    await expectGradients((t) => getItem(square(t), [[0, 0, 2], { start: 1 }, [1, -1, 1]]), [sample([3, 3, 4])]);
  });
});
