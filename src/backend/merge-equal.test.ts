import { expect, it } from "vitest";
import { mergeEqual } from "./merge-equal.js";
import { ProgramWriter } from "./program-writer.testing.js";

it("computes equal instructions once", () => {
  const w = new ProgramWriter();
  const x = w.input([2]);
  const [a, b] = [w.op("exp", [x], [2]), w.op("exp", [x], [2])];
  const [c, d] = [w.op("negative", [a], [2]), w.op("negative", [b], [2])];
  const merged = mergeEqual(w.finish(c, d));
  expect(merged.instructions.map(({ op }) => op)).toEqual(["exp", "negative"]);
  expect(merged.outputs).toEqual([c, c]);
});

it("tells attributes apart that JSON writes alike, and results of other shapes and dtypes", () => {
  const w = new ProgramWriter();
  const numbers = [Infinity, -Infinity, NaN, 0, -0].map((value) => w.op("full", [], [2], { value }));
  const others = [w.op("full", [], [3], { value: 0 }), w.op("full", [], [2], { value: 0 }, "int32")];
  expect(mergeEqual(w.finish(...numbers, ...others)).instructions).toHaveLength(7);
});

it("leaves out what gives back its operand, and nothing else", () => {
  const w = new ProgramWriter();
  const x = w.input([2, 3]);
  const same = ["cast", "reshape", "broadcastTo", "stopGradient"].map((op) => w.op(op, [x], [2, 3]));
  const flat = w.op("reshape", [same[1]!], [6]);
  const words = w.op("cast", [same[0]!], [2, 3], {}, "int32");
  const program = mergeEqual(w.finish(...same, flat, words));
  expect(program.outputs).toEqual([x, x, x, x, flat, words]);
  expect(program.instructions.map(({ inputs }) => inputs)).toEqual([[x], [x]]);
});

it("leaves composites and control flow alone, whose attributes hold Programs", () => {
  const w = new ProgramWriter();
  const x = w.input([]);
  const ids = ["composite", "composite", "cond", "cond"].map((op) => w.op(op, [x], []));
  expect(mergeEqual(w.finish(...ids)).instructions).toHaveLength(4);
});
