import { afterEach, expect, it, vi } from "vitest";
import type { CompositeAttributes } from "../../../core/program.js";
import type { ScanAttributes } from "../../../primitives/index.js";
import { ProgramWriter } from "../../program-writer.testing.js";
import { Value } from "../value.js";
import { prepare } from "./index.js";
import { constantOf, numbersOf } from "./testing.js";

// Without libtorch's kernels the built-in engine computes.
vi.mock("../library.js", () => ({ addon: {} }));
vi.mock("../kernels/index.js", () => ({ kernelOf: () => undefined }));
afterEach(() => void vi.restoreAllMocks());

const filled = (w: ProgramWriter, value: number): number =>
  w.op("full", [], [2], { shape: [2], value, dtype: "float32" });

it("prepare merges, folds and fuses, and drops what is not needed then", () => {
  const w = new ProgramWriter();
  const x = w.input([2]);
  const logs = [1, 2].map(() => w.op("log", [w.op("add", [filled(w, 3), filled(w, 3)], [2])], [2]));
  const exps = [1, 2].map(() => w.op("exp", [x], [2]));
  // Read by nothing.
  w.op("negative", [exps[0]!], [2]);
  const product = w.op("reshape", [w.op("multiply", [exps[0]!, logs[0]!], [2])], [1, 2]);
  const y = w.op("add", [product, w.op("reshape", [w.op("abs", [exps[1]!], [2])], [1, 2])], [1, 2]);
  const program = prepare(w.finish(y, logs[1]!));
  expect(program.instructions.map(({ op, outputs }) => [op, outputs])).toEqual([["composite", [y]]]);
  const { body } = program.instructions[0]!.attributes as CompositeAttributes;
  expect(body.instructions.map(({ op }) => op)).toEqual(["exp", "multiply", "abs", "add"]);
  expect(program.constants.map(({ id, tensor }) => [id, numbersOf(tensor)])).toEqual([
    [logs[0], [Math.fround(Math.log(6)), Math.fround(Math.log(6))]],
  ]);
  expect(program.outputs).toEqual([y, logs[0]]);
});

it("prepare frees what it computed and the Program does not need, once, and nothing else", () => {
  const w = new ProgramWriter();
  const c = constantOf([1, 2]);
  const id = w.constant(c);
  const sum = w.op("add", [filled(w, 3), filled(w, 4)], [2]);
  const y = w.op("add", [w.op("multiply", [w.input([2]), sum], [2]), w.op("sort", [id], [2], { axis: 0 })], [2]);
  const release = vi.spyOn(Value.prototype, "release");
  const program = prepare(w.finish(y));
  // The two that are filled, whose sum is kept.
  expect(new Set(release.mock.contexts).size).toBe(2);
  expect(release).toHaveBeenCalledTimes(2);
  expect(program.constants.map(({ tensor }) => numbersOf(tensor))).toEqual([
    [7, 7],
    [1, 2],
  ]);
  expect(numbersOf(c)).toEqual([1, 2]);
});

it("prepare makes a loop's body ready too, with its constants in the whole", () => {
  const step = new ProgramWriter();
  const [h, row] = [step.input([2]), step.input([2])];
  const factor = step.op("sort", [step.op("add", [filled(step, 3), filled(step, 4)], [2])], [2], { axis: 0 });
  const next = step.op("add", [step.op("multiply", [h, factor], [2]), row], [2]);
  const w = new ProgramWriter();
  const attributes: ScanAttributes = {
    ...{ body: step.finish(next), carries: 1, sequences: 1, length: 3, reverse: false, keepCarries: false },
  };
  const program = prepare(w.finish(w.op("scan", [w.input([2]), w.input([3, 2])], [2], attributes)));
  const { body } = program.instructions[0]!.attributes as ScanAttributes;
  expect(body.instructions.map(({ op }) => op)).toEqual(["composite"]);
  expect(program.constants.map(({ tensor }) => numbersOf(tensor))).toEqual([[7, 7]]);
  expect(program.instructions[0]!.inputs.at(-1)).toBe(program.constants[0]!.id);
});
