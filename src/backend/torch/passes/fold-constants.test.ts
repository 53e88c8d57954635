import { describe, expect, it, vi } from "vitest";
import type { Program, ValueId } from "../../../core/program.js";
import { ProgramWriter } from "../../program-writer.testing.js";
import { foldConstants } from "./fold-constants.js";
import { constantOf, numbersOf } from "./testing.js";

// Without libtorch's kernels the built-in engine computes.
vi.mock("../library.js", () => ({ addon: {} }));
vi.mock("../kernels/index.js", () => ({ kernelOf: () => undefined }));

/** The numbers of the values that a Program knows beforehand. */
const known = ({ constants }: Program): (readonly [ValueId, readonly number[]])[] =>
  constants.map(({ id, tensor }) => [id, numbersOf(tensor)]);

describe("foldConstants", () => {
  it("computes once what depends on no input, through any number of instructions", () => {
    const w = new ProgramWriter();
    const [x, c] = [w.input([2]), w.constant(constantOf([3, 4]))];
    const two = w.op("full", [], [2], { shape: [2], value: 2, dtype: "float32" });
    const sum = w.op("add", [c, two], [2]);
    const product = w.op("multiply", [sum, sum], [2]);
    const y = w.op("subtract", [x, product], [2]);
    const folded = foldConstants(w.finish(y));
    expect(folded.instructions).toEqual([{ op: "subtract", inputs: [x, product], outputs: [y], attributes: {} }]);
    expect(known(folded)).toEqual([
      [c, [3, 4]],
      [two, [2, 2]],
      [sum, [5, 6]],
      [product, [25, 36]],
    ]);
  });

  it("keeps all results of an instruction", () => {
    const w = new ProgramWriter();
    const c = w.constant(constantOf([1, 2]));
    const [largest, positions] = [w.value([2]), w.value([2], "int32")];
    w.add({ op: "topK", inputs: [c], outputs: [largest, positions], attributes: { k: 2 } });
    const back = w.op("reverse", [positions], [2], { axes: [0] }, "int32");
    expect(known(foldConstants(w.finish(largest, back)))).toEqual([
      [c, [1, 2]],
      [largest, [2, 1]],
      [positions, [1, 0]],
      [back, [0, 1]],
    ]);
  });

  it("leaves what has a result of more than 16384 elements, and what reads it", () => {
    const w = new ProgramWriter();
    const one = (elements: number): ValueId =>
      w.op("full", [], [elements], { shape: [elements], value: 1, dtype: "float32" });
    const [small, large] = [one(16384), one(16385)];
    const s = w.op("sum", [large], [], { axes: [0] });
    const [values, positions] = [w.value([2]), w.value([16385], "int32")];
    w.add({ op: "topK", inputs: [small], outputs: [values, positions], attributes: { k: 2 } });
    const folded = foldConstants(w.finish(small, s, values));
    expect(folded.instructions.map(({ op }) => op)).toEqual(["full", "sum", "topK"]);
    expect(folded.constants.map(({ id }) => id)).toEqual([small]);
  });

  it("leaves what depends on an input, directly or not", () => {
    const w = new ProgramWriter();
    const [x, c] = [w.input([2]), w.constant(constantOf([3, 4]))];
    const y = w.op("add", [c, x], [2]);
    const program = w.finish(w.op("negative", [y], [2]));
    expect(foldConstants(program)).toEqual(program);
  });

  it.each(["composite", "cond", "whileLoop", "scan"])("leaves %s, whose body may cost anything", (op) => {
    const w = new ProgramWriter();
    const y = w.op(op, [w.constant(constantOf([3]))], [1]);
    const program = w.finish(w.op("negative", [y], [1]));
    expect(foldConstants(program)).toEqual(program);
  });
});
