import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Shape, TensorSpec } from "../core/dtype.js";
import { NDArray } from "../core/ndarray.js";
import type { Program } from "../core/program.js";
import { ControlFlow, hostStack, isControl, sliceOf } from "./control-flow.js";

/** A value of an engine that frees nothing by itself. */
class Counted {
  static live = 0;
  references = 1;
  constructor(readonly array: NDArray) {
    Counted.live++;
  }
  retain(): this {
    if (this.references === 0) throw new Error("used after it was freed");
    this.references++;
    return this;
  }
  release(): void {
    if (this.references === 0) throw new Error("freed twice");
    if (--this.references === 0) Counted.live--;
  }
}
const value = (x: number | readonly number[]): Counted => new Counted(NDArray.from(x as number[], "float32"));
const numberOf = (x: Counted): number => x.array.numbers()[0]!;

type Body = (...inputs: readonly Counted[]) => Counted[];
const spec = (shape: Shape): TensorSpec => ({ shape, dtype: "float32" });

/** Control flow whose bodies are functions, and what happened to these. */
function machine(): { control: ControlFlow<Counted>; program(outputs: number, body: Body): Program; log: string[] } {
  const bodies = new WeakMap<Program, Body>();
  const log: string[] = [];
  const control = new ControlFlow<Counted>({
    retain: (x) => x.retain(),
    release: (x) => x.release(),
    host: (x) => x.array,
    slice: (x, i) => new Counted(sliceOf(x.array, i)),
    stack: (to) =>
      hostStack(
        to,
        (x) => x.array,
        (array) => new Counted(array),
      ),
  });
  control.compileBodiesWith((program) => {
    log.push("compiled");
    const body = bodies.get(program)!;
    return { run: (inputs) => body(...(inputs as Counted[])), dispose: () => void log.push("disposed") };
  });
  const program = (outputs: number, body: Body): Program => {
    const made: Program = {
      values: [],
      inputs: [],
      constants: [],
      instructions: [],
      outputs: Array.from({ length: outputs }, (_, i) => i),
    };
    bodies.set(made, body);
    return made;
  };
  return { control, program, log };
}

/** Runs an op on values that it makes; gives the results as nested arrays. Everything but inputs and results must be free again. */
function results(
  control: ControlFlow<Counted>,
  op: string,
  inputs: readonly Counted[],
  attributes: object,
  outputs: readonly TensorSpec[] = [],
): unknown[] {
  const found = control.run(op, inputs, attributes, outputs)!;
  const arrays = found.map((x) => x.array.toArray());
  for (const x of [...found, ...inputs]) x.release();
  expect(Counted.live).toBe(0);
  return arrays;
}

/** What control flow needs of values that are plain arrays. */
const ofArrays = {
  retain: (x: NDArray) => x,
  release: () => {},
  host: (x: NDArray) => x,
  slice: sliceOf,
  stack: (to: TensorSpec) =>
    hostStack<NDArray>(
      to,
      (x) => x,
      (x) => x,
    ),
};

describe("control flow over compiled bodies", () => {
  it("is three primitives", () => {
    const { control } = machine();
    expect(["cond", "whileLoop", "scan", "add", "toString"].map(isControl)).toEqual([true, true, true, false, false]);
    expect(control.run("add", [], {}, [])).toBeNull();
  });

  it("runs the branch that the predicate names, and compiles it once", () => {
    const { control, program, log } = machine();
    const whenTrue = program(1, (x) => [value(numberOf(x!) + 1)]);
    const whenFalse = program(1, (x) => [x!.retain()]);
    const run = (predicate: number): unknown =>
      results(control, "cond", [value(predicate), value(5)], { whenTrue, whenFalse })[0];
    expect([run(1), run(0), run(1)]).toEqual([6, 5, 6]);
    expect(log).toEqual(["compiled", "compiled"]);
  });

  it("repeats a body while its condition holds, with what each of them captured", () => {
    const { control, program } = machine();
    const condition = program(1, (x, limit) => [value(Number(numberOf(x!) < numberOf(limit!)))]);
    const body = program(1, (x, factor) => [value(numberOf(x!) * numberOf(factor!))]);
    const run = (from: number): unknown =>
      results(control, "whileLoop", [value(from), value(100), value(3)], {
        condition,
        body,
        carries: 1,
        conditionCaptures: 1,
      })[0];
    expect(run(2)).toBe(162);
    expect(run(200)).toBe(200);
  });

  it.each([
    { reverse: false, sums: [1, 3, 6], kept: [0, 1, 3] },
    { reverse: true, sums: [6, 5, 3], kept: [5, 3, 0] },
  ])("scans slices in either direction (reverse: $reverse)", ({ reverse, sums, kept }) => {
    const { control, program } = machine();
    const body = program(2, (sum, x) => {
      const next = value(numberOf(sum!) + numberOf(x!));
      return [next, next.retain()];
    });
    const run = (keepCarries: boolean): unknown[] =>
      results(
        control,
        "scan",
        [value(0), value([1, 2, 3])],
        { body, carries: 1, sequences: 1, length: 3, reverse, keepCarries },
        [spec([]), spec([3]), ...(keepCarries ? [spec([3])] : [])],
      );
    expect(run(false)).toEqual([6, sums]);
    expect(run(true)).toEqual([6, sums, kept]);
  });

  it("scans nothing", () => {
    const { control, program } = machine();
    const attributes = { body: program(1, (x) => [x!.retain()]), carries: 0, sequences: 1, length: 0, reverse: false };
    expect(results(control, "scan", [value([])], { ...attributes, keepCarries: false }, [spec([0])])).toEqual([[]]);
  });

  it("hands results out in the form that the engine wants", () => {
    const control = new ControlFlow<NDArray>({ ...ofArrays, result: (x) => x.reshape([1]) });
    control.compileBodiesWith(() => ({ run: (inputs) => [...inputs], dispose() {} }));
    const program: Program = { values: [], inputs: [], constants: [], instructions: [], outputs: [0] };
    const [y] = control.run(
      "cond",
      [NDArray.from(true), NDArray.from(7)],
      { whenTrue: program, whenFalse: program },
      [],
    )!;
    expect(y!.toArray()).toEqual([7]);
  });

  it("says when the engine forgot to give it a compiler", () => {
    const control = new ControlFlow<NDArray>(ofArrays);
    const program: Program = { values: [], inputs: [], constants: [], instructions: [], outputs: [0] };
    expect(() => control.run("cond", [NDArray.from(true)], { whenTrue: program, whenFalse: program }, [])).toThrow(
      /compileBodiesWith/,
    );
  });

  it("disposes what a body was compiled to when nobody can run it any more", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { control, program, log } = machine();
    (() => {
      const body = program(0, () => []);
      control.run("cond", [value(1)], { whenTrue: body, whenFalse: body }, []);
    })();
    for (let i = 0; i < 100 && !log.includes("disposed"); i++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(log).toEqual(["compiled", "disposed"]);
  });
});
