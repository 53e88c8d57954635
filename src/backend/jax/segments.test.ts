import { expect, it } from "vitest";
import "../index.js";
import { trace } from "../../core/trace.js";
import { broadcastTo, multiply } from "../../primitives/index.js";
import { segmentsOf } from "./segments.js";

it("cuts what would write too much, and repeats in each run what is done anew for each reader", () => {
  const shape = [4, 4];
  const program = trace(
    (x, row) => {
      const wide = broadcastTo(row!, shape);
      return [multiply(multiply(multiply(x!, wide), wide), wide)];
    },
    [
      { shape, dtype: "float32" },
      { shape: [4], dtype: "float32" },
    ],
  );
  const names = (limit: number): string[][] =>
    segmentsOf(program, program.instructions, limit).map((run) => run.map(({ op }) => op));
  const one = 2 * 4 * 16;
  expect(names(3 * one)).toEqual([["broadcastTo", "multiply", "multiply", "multiply"]]);
  expect(names(2 * one)).toEqual([
    ["broadcastTo", "multiply", "multiply"],
    ["broadcastTo", "multiply"],
  ]);
  expect(names(0)).toHaveLength(3);
});
