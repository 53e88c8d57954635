import { expect, it, vi } from "vitest";
import type { Program } from "../../../core/program.js";
import type { ScanAttributes } from "../../../primitives/index.js";
import { ProgramWriter } from "../../program-writer.testing.js";
import { prepareBodies } from "./prepare-bodies.js";
import { constantOf } from "./testing.js";

vi.mock("../library.js", () => ({ addon: {} }));

/** A loop of three steps over rows, with other instructions before and behind it. */
function loop(): { program: Program; body: Program } {
  const step = new ProgramWriter();
  const [h, row] = [step.input([2]), step.input([2])];
  const body = step.finish(step.op("add", [h, row], [2]));
  const attributes: ScanAttributes = { body, carries: 1, sequences: 1, length: 3, reverse: false, keepCarries: false };
  const w = new ProgramWriter();
  const [start, rows] = [w.input([2]), w.input([3, 2])];
  const last = w.op("scan", [w.op("exp", [start], [2]), rows], [2], attributes);
  return { program: w.finish(w.op("negative", [last], [2])), body };
}

it("prepareBodies makes constants of a scan's body constants of the whole, which the body captures in their order", () => {
  const { program, body } = loop();
  const constants = [constantOf([1, 2]), constantOf([3, 4, 5])];
  const prepared = prepareBodies((given) => {
    expect(given).toBe(body);
    const values = [...given.values, ...constants.map(({ shape, dtype }) => ({ shape, dtype }))];
    return { ...given, values, constants: constants.map((tensor, i) => ({ id: given.values.length + i, tensor })) };
  })(program);

  const ids = [program.values.length, program.values.length + 1];
  expect(prepared.constants).toEqual(ids.map((id, i) => ({ id, tensor: constants[i] })));
  expect(prepared.values.slice(ids[0])).toEqual(constants.map(({ shape, dtype }) => ({ shape, dtype })));
  const [exp, scan, negative] = prepared.instructions;
  expect([exp, negative]).toEqual([program.instructions[0], program.instructions[2]]);
  expect(scan!.inputs).toEqual([...program.instructions[1]!.inputs, ...ids]);
  const attributes = scan!.attributes as ScanAttributes;
  expect(attributes).toMatchObject({ carries: 1, sequences: 1, length: 3 });
  expect(attributes.body.constants).toEqual([]);
  expect(attributes.body.inputs).toEqual([...body.inputs, body.values.length, body.values.length + 1]);
});

it("prepareBodies leaves Programs without scans, and the bodies of other control flow, alone", () => {
  const { program: looping, body } = loop();
  const w = new ProgramWriter();
  const program = w.finish(w.op("whileLoop", [w.input([2])], [2], { body }));
  const both = { ...looping, instructions: [...looping.instructions, ...program.instructions] };
  const prepare = vi.fn();
  expect(prepareBodies(prepare)(program)).toBe(program);
  expect(prepare).not.toHaveBeenCalled();
  expect(prepareBodies((given) => given)(both).instructions.at(-1)).toBe(program.instructions[0]);
});
