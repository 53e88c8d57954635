import { expect, it } from "vitest";
import { lastUses } from "./last-uses.js";
import { ProgramWriter } from "./program-writer.testing.js";
import { rounds } from "./rounds.js";

it("instructions are sorted into as few rounds as their order allows, the library's first", () => {
  const w = new ProgramWriter();
  const x = w.input([]);
  const a = w.op("own", [x], []);
  const b = w.op("foreign", [a], []);
  const c = w.op("own", [x], []);
  const d = w.op("own", [b], []);
  const e = w.op("foreign", [b], []);
  const ids = rounds(w.finish(c, d, e), ({ op }) => op === "own").map(({ native, other }) =>
    [native, other].map((part) => part.map(({ outputs }) => outputs[0])),
  );
  expect(ids).toEqual([
    [
      [a, c],
      [b, e],
    ],
    [[d], []],
  ]);
});

it("values die with the step that reads or makes them last, outputs with none", () => {
  const steps = [
    { reads: [0], writes: [1, 2] },
    { reads: [0, 1, 1], writes: [3] },
    { reads: [3], writes: [4] },
  ];
  expect(lastUses([4], steps)).toEqual([[2], [0, 1], [3]]);
});
