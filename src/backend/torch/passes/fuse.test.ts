import { describe, expect, it, vi } from "vitest";
import type { CompositeAttributes, Instruction, Program, ValueId } from "../../../core/program.js";
import { eliminateDeadCode } from "../../../core/program.js";
import { Tensor } from "../../../core/tensor.js";
import { ProgramWriter } from "../../program-writer.testing.js";
import { enterDevice } from "../device.js";
import { type ChainAttributes, chainName } from "../fuse/chain-name.js";
import { chainsOf } from "../fuse/testing.js";
import type { Ref } from "../torch.js";
import { Value } from "../value.js";
import { fuse } from "./fuse.js";
import { constantOf } from "./testing.js";

vi.mock("../library.js", () => ({ addon: {} }));

/** What a Program became: for each chain its ops and what it reads and leaves, for other instructions their names. */
type Summary =
  | string
  | { readonly ops: readonly string[]; readonly inputs: readonly ValueId[]; readonly outputs: readonly ValueId[] };
const summary = ({ op, inputs, outputs, attributes }: Instruction): Summary => {
  const { name, body } = attributes as CompositeAttributes;
  return op === "composite" && name === chainName
    ? { ops: body.instructions.map((inner) => inner.op), inputs, outputs }
    : op;
};
const fused = (program: Program): Summary[] => fuse(program).instructions.map(summary);
const codeOf = ({ attributes }: Instruction): readonly number[] =>
  ((attributes as CompositeAttributes).attributes as ChainAttributes).code;
const float = (value: number): number => new Int32Array(Float32Array.of(value).buffer)[0]!;

describe("fuse", () => {
  it("makes elementwise instructions, and a sum at their end, one chain with the code that runs it", () => {
    const w = new ProgramWriter();
    const [x, bias] = [w.input([3, 4]), w.input([4])];
    const z = w.op("tanh", [w.op("add", [x, bias], [3, 4])], [3, 4]);
    const s = w.op("sum", [z], [4], { axes: [0] });
    const program = w.finish(z, s);
    expect(fused(program)).toEqual([{ ops: ["add", "tanh", "sum"], inputs: [x, bias], outputs: [z, s] }]);
    expect(codeOf(fuse(program).instructions[0]!)).toEqual(chainsOf(program)[0]!.code);
  });

  it("leaves values that results and other instructions need, and no others", () => {
    const w = new ProgramWriter();
    const x = w.input([4]);
    const a = w.op("exp", [x], [4]);
    const b = w.op("negative", [a], [4]);
    const c = w.op("abs", [b], [4]);
    const d = w.op("sort", [b], [4]);
    expect(fused(w.finish(c, d))).toEqual([{ ops: ["exp", "negative", "abs"], inputs: [x], outputs: [b, c] }, "sort"]);
  });

  it("leaves what another chain reads, and makes squares of powers whose exponent is 2 everywhere", () => {
    const w = new ProgramWriter();
    const x = w.input([3, 4]);
    const two = w.op("broadcastTo", [w.op("reshape", [w.op("full", [], [], { value: 2 })], [1, 1])], [3, 4]);
    const y = w.op("power", [x, two], [3, 4]);
    const s = w.op("sum", [y], [4], { axes: [0] });
    const z = w.op("negative", [s], [4]);
    expect(fused(w.finish(z)).slice(-2)).toEqual([
      { ops: ["power", "sum"], inputs: [x], outputs: [s] },
      { ops: ["negative"], inputs: [s], outputs: [z] },
    ]);
  });

  it("leaves no value for a view that only the chain itself looks through", () => {
    const w = new ProgramWriter();
    const x = w.input([3, 4]);
    const y = w.op("exp", [x], [3, 4]);
    const flat = w.op("reshape", [y], [12]);
    const z = w.op("negative", [w.op("reshape", [flat], [4, 3])], [4, 3]);
    expect(fused(w.finish(z)).filter((unit) => typeof unit !== "string")).toEqual([
      { ops: ["exp", "negative"], inputs: [x], outputs: [z] },
    ]);
  });

  it.each(["result", "operand of another instruction"])("leaves the value under a view that is a %s", (kind) => {
    const w = new ProgramWriter();
    const x = w.input([3, 4]);
    const y = w.op("exp", [x], [3, 4]);
    const flat = w.op("reshape", [w.op("reshape", [y], [12])], [2, 6]);
    const z = w.op("negative", [y], [3, 4]);
    const program = kind === "result" ? w.finish(z, flat) : w.finish(z, w.op("sort", [flat], [2, 6]));
    expect(fused(program)[0]).toEqual({ ops: ["exp", "negative"], inputs: [x], outputs: [y, z] });
  });

  it("makes a single elementwise instruction a chain, and leaves a single sum to ATen", () => {
    const w = new ProgramWriter();
    const [x, y] = [w.input([4]), w.input([3, 4])];
    const program = w.finish(w.op("exp", [x], [4]), w.op("sum", [y], [4], { axes: [0] }));
    expect(fused(program)).toEqual([{ ops: ["exp"], inputs: [x], outputs: [2] }, "sum"]);
  });

  it("leaves what chains do not hold as it is", () => {
    const w = new ProgramWriter();
    const [x, half] = [w.input([4]), w.input([4], "float16")];
    const outputs = [w.op("sort", [x], [4]), w.op("sum", [x], []), w.op("exp", [half], [4], {}, "float16")];
    const [sort, sum, exp] = w.finish().instructions;
    const program = { ...w.finish(...outputs), instructions: [sort!, { ...sum!, attributes: { axes: [] } }, exp!] };
    expect(fuse(program).instructions).toEqual(program.instructions);
  });

  it("writes values that are one number everywhere into the code", () => {
    const w = new ProgramWriter();
    const x = w.input([2, 3]);
    const scalar = w.constant(constantOf([3]));
    const filled = w.constant(
      new Tensor(
        Value.ofSlot(0 as Ref, { shape: [2, 3], dtype: "float32" }, 5),
        {
          shape: [2, 3],
          dtype: "float32",
        },
        false,
      ),
    );
    const full = w.op("full", [], [], { value: 7 });
    const spread = w.op("broadcastTo", [w.op("reshape", [full], [1, 1])], [2, 3]);
    let y = x;
    for (const id of [scalar, filled, spread]) y = w.op("add", [y, id], [2, 3]);
    const program = eliminateDeadCode(fuse(w.finish(y)));
    expect(program.instructions.map(summary)).toEqual([{ ops: ["add", "add", "add"], inputs: [x], outputs: [y] }]);
    const code = codeOf(program.instructions[0]!);
    // Shape [6], then one float32 input with stride 1, then the constants.
    expect(code.slice(1, 9)).toEqual([1, 6, 1, 6, 1, 3, float(3), float(5)]);
    expect(code[9]).toBe(float(7));
    expect(program.constants).toEqual([]);
  });

  it("reads values that are not one number everywhere", () => {
    const w = new ProgramWriter();
    const [x, c] = [w.input([2]), w.constant(constantOf([3, 4]))];
    const y = w.op("add", [x, c], [2]);
    expect(fused(w.finish(y))).toEqual([{ ops: ["add"], inputs: [x, c], outputs: [y] }]);
  });

  it("does nothing on other devices, which chains do not run on", () => {
    const w = new ProgramWriter();
    const program = w.finish(w.op("exp", [w.op("negative", [w.input([4])], [4])], [4]));
    using _ = enterDevice("cuda");
    expect(fuse(program)).toBe(program);
  });
});
