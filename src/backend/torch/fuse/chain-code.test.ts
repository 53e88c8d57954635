import { describe, expect, it } from "vitest";
import type { DType, Shape, TensorSpec } from "../../../core/dtype.js";
import type { Tensor } from "../../../core/tensor.js";
import { trace } from "../../../core/trace.js";
import * as p from "../../../primitives/index.js";
import { ways } from "./chain-code.js";
import { type ChainOp, numberOf } from "./ops.js";
import { chainsOf } from "./testing.js";

const [float, int, bool] = [6, 3, 11];
const [elements, rowSums, sum] = [0, 1, 2];
const of = (dtype: DType, ...shape: readonly number[]): TensorSpec => ({ shape, dtype });

/** The codes of the chains that a function becomes. */
const chains = (
  specs: readonly TensorSpec[],
  fn: (...x: Tensor[]) => Tensor | Tensor[],
): readonly (readonly number[])[] =>
  chainsOf(trace((...x: Tensor[]) => [fn(...x)].flat(), specs)).map(({ code }) => code);
/** A chain's code from its parts: inputs as their types and strides, steps as op, result and operands. */
const code = (parts: {
  shape: Shape;
  inputs: (readonly number[])[];
  constants?: readonly number[];
  registers: number;
  steps: (readonly [ChainOp, ...(readonly number[])])[];
  results: (readonly number[])[];
}): readonly number[] => [
  ...[ways.compiled, parts.shape.length, ...parts.shape],
  ...[parts.inputs.length, ...parts.inputs.flat()],
  ...[parts.constants?.length ?? 0, ...(parts.constants ?? [])],
  ...[parts.registers, parts.steps.length],
  ...parts.steps.flatMap(([op, result, a, b = 0, c = 0]) => [numberOf(op), result!, a!, b, c]),
  ...[parts.results.length, ...parts.results.flat()],
];

describe("writeChain", () => {
  it("names types and strides of inputs, and takes a register again that nobody reads", () => {
    const specs = [of("float32", 4, 5), of("float32", 5)];
    const written = chains(specs, (x, row) => p.maximum(p.add(x!, row!), p.full([], 0, "float32")));
    const expected = code({
      shape: [4, 5],
      inputs: [
        [float, 5, 1],
        [float, 0, 1],
      ],
      constants: [0],
      registers: 1,
      steps: [
        ["add", 3, 0, 1],
        ["maximum", 3, 3, 2],
      ],
      results: [[elements, 3, float, 2, 4, 5]],
    });
    expect(written).toEqual([expected]);
  });

  it("keeps what is a result, and gives sums and bools", () => {
    const [written] = chains([of("bool", 6, 5), of("float32", 6, 5)], (mask, g) => {
      const y = p.select(mask!, g!, p.full([], 0, "float32"));
      return [y, p.sum(y, [0]), p.sum(y, [0, 1]), p.less(p.full([], 0, "float32"), y)];
    });
    const expected = code({
      shape: [6, 5],
      inputs: [
        [bool, 5, 1],
        [float, 5, 1],
      ],
      constants: [0],
      registers: 2,
      steps: [
        ["select", 3, 0, 1, 2],
        ["less", 4, 2, 3],
      ],
      results: [
        [elements, 3, float, 2, 6, 5],
        [rowSums, 3, float, 1, 5],
        [sum, 3, float, 0],
        [elements, 4, bool, 2, 6, 5],
      ],
    });
    expect(written).toEqual(expected);
  });

  it("stores unsigned words as integers and writes float constants by their bits", () => {
    const [written] = chains([of("uint32", 3), of("float32", 3)], (x, y) => [
      p.add(x!, p.full([], 7, "uint32")),
      p.multiply(y!, p.full([], 1, "float32")),
    ]);
    expect(written!.slice(0, 5)).toEqual([ways.compiled, 1, 3, 1, int]);
    expect(chains([of("float32", 3)], (y) => p.multiply(y!, p.full([], 1, "float32")))[0]).toContain(0x3f800000);
  });
});
