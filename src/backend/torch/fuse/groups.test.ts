import { describe, expect, it } from "vitest";
import type { ValueId } from "../../../core/program.js";
import { ProgramWriter } from "../../program-writer.testing.js";
import { readsOf, unitsOf } from "./groups.js";
import { Items } from "./item.js";

/** The values that each unit computes. */
function units(w: ProgramWriter): ValueId[][] {
  const program = w.finish();
  return unitsOf(program.instructions, new Items(program, new Map())).map((unit) =>
    "items" in unit ? unit.items.map(({ output }) => output) : [...unit.other.outputs],
  );
}

describe("chains", () => {
  it("take in what broadcasts, and a sum at their end", () => {
    const w = new ProgramWriter();
    const [x, bias] = [w.input([3, 4]), w.input([4])];
    const y = w.op("add", [x, bias], [3, 4]);
    const z = w.op("tanh", [y], [3, 4]);
    const s = w.op("sum", [z], [4], { axes: [0] });
    expect(units(w)).toEqual([[y, z, s]]);
  });

  it("end with a sum: what reads it stands in another", () => {
    const w = new ProgramWriter();
    const y = w.op("exp", [w.input([3, 4])], [3, 4]);
    const s = w.op("sum", [y], [], { axes: [0, 1] });
    const z = w.op("divide", [y, s], [3, 4]);
    expect(units(w)).toEqual([[y, s], [z]]);
  });

  it("leave sums of another width apart", () => {
    const w = new ProgramWriter();
    const y = w.op("exp", [w.input([2, 3, 4])], [2, 3, 4]);
    const a = w.op("sum", [y], [3, 4], { axes: [0] });
    const b = w.op("sum", [y], [4], { axes: [0, 1] });
    expect(units(w)).toEqual([[y, a], [b]]);
  });

  it("hold no accesses without a common shape", () => {
    const w = new ProgramWriter();
    const [rows, columns] = [w.input([4]), w.input([3])];
    const y = w.op("add", [w.input([3, 4]), rows], [3, 4]);
    const z = w.op("reshape", [y], [4, 3]);
    const u = w.op("add", [z, columns], [4, 3]);
    expect(units(w)).toEqual([[y], [z], [u]]);
  });

  it("stay within the sizes that blocks are made for", () => {
    const w = new ProgramWriter();
    let x = w.input([8]);
    for (let i = 0; i < 70; i++) x = w.op("exp", [x], [8]);
    expect(units(w).map((unit) => unit.length)).toEqual([64, 6]);
    const many = new ProgramWriter();
    let sum = many.input([8]);
    for (let i = 0; i < 30; i++) sum = many.op("add", [sum, many.input([8])], [8]);
    expect(units(many).map((unit) => unit.length)).toEqual([23, 7]);
  });
});

it("reads are counted once for each way of reading", () => {
  const w = new ProgramWriter();
  const x = w.input([4]);
  const y = w.op("add", [x, x], [4]);
  const z = w.op("multiply", [y, x], [4]);
  const program = w.finish(z);
  const [unit] = unitsOf(program.instructions, new Items(program, new Map()));
  expect(readsOf("items" in unit! ? unit.items : [])).toEqual({ accesses: [[{ size: 4, stride: 1 }]], widths: [] });
});
