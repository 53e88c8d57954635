import { expect, it } from "vitest";
import type { ValueId } from "../core/program.js";
import { LibraryValue } from "./library-value.js";
import { ProgramWriter } from "./program-writer.testing.js";
import { instructionStep, type Step, stepRunner } from "./steps.js";

const live = new Set<number>();
/** A number in the memory of a library that knows which are in use. */
class Box extends LibraryValue<number> {
  constructor(readonly number: number) {
    super({ shape: [], dtype: "float32" }, number, null);
    live.add(number);
  }
  protected override free(number: number): void {
    live.delete(number);
  }
  protected override upload(): never {
    throw new Error("never");
  }
  protected override download(): never {
    throw new Error("never");
  }
}

/** c = x + 10 + constant 100, which a step of an engine's own adds; what is live is noted at the beginning of each step. */
function program(fail = false) {
  const w = new ProgramWriter();
  const [x, k] = [w.input([]), w.value([])];
  const a = w.op("plus", [x], [], { by: 10 });
  const b = w.op("plus", [a], [], { by: 20 });
  const c = w.value([]);
  const written = w.finish(c, x);
  const seen: number[][] = [];
  const note = (): void => void seen.push([...live].sort((p, q) => p - q));
  const [first, second] = written.instructions.map((instruction) =>
    instructionStep<Box>(written, instruction, (_op, [value], attributes) => {
      note();
      return [new Box(value!.number + (attributes as { by: number }).by)];
    }),
  );
  const run = (values: Map<ValueId, Box>): void => {
    note();
    if (fail) throw new Error("The library fails.");
    values.set(c, new Box(values.get(b)!.number + values.get(k)!.number));
  };
  const last: Step<Box> = { reads: [b, k], writes: [c], run, dispose() {} };
  const constant = new Box(100);
  const runner = stepRunner(written, new Map([[k, constant]]), [first!, second!, last]);
  return { runner, seen, constant };
}

it.each(["run", "runAsync"] as const)(
  "%s releases values after their last use, and leaves arguments and constants",
  async (how) => {
    const { runner, seen, constant } = program();
    const x = new Box(1);
    const results = (await runner[how]([x])) as Box[];
    expect(results.map(({ number }) => number)).toEqual([131, 1]);
    expect(seen).toEqual([
      [1, 100],
      [1, 11, 100],
      [1, 31, 100],
    ]);
    for (const value of [...results, x]) value.release();
    expect([...live]).toEqual([100]);
    constant.release();
    expect(live.size).toBe(0);
  },
);

it.each(["run", "runAsync"] as const)("%s releases everything when a step fails", async (how) => {
  const { runner, constant } = program(true);
  const x = new Box(1);
  await expect(async () => runner[how]([x])).rejects.toThrow("The library fails.");
  expect([...live].sort()).toEqual([1, 100]);
  for (const value of [x, constant]) value.release();
  expect(live.size).toBe(0);
});

it("a run that ends in the background is waited for before the next step", async () => {
  const order: string[] = [];
  const w = new ProgramWriter();
  const x = w.input([]);
  const step = (name: string, wait: boolean): Step<Box> => ({
    ...{ reads: [x], writes: [], dispose() {}, run: () => void order.push(name) },
    ...(wait && { runAsync: () => new Promise((done) => setTimeout(() => done(void order.push(`${name} later`)))) }),
  });
  const runner = stepRunner(w.finish(x), new Map<ValueId, Box>(), [step("first", true), step("second", false)]);
  const box = new Box(1);
  const [result] = (await runner.runAsync([box])) as Box[];
  expect(order).toEqual(["first later", "second"]);
  for (const value of [result!, box]) value.release();
});
