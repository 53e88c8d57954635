import { sizeOf } from "../../../core/ndarray.js";
import type { CompositeAttributes, Instruction, Program, ValueId } from "../../../core/program.js";
import { currentDevice } from "../device.js";
import { writeChain } from "../fuse/chain-code.js";
import { type ChainAttributes, chainName } from "../fuse/chain-name.js";
import { type Unit, unitsOf } from "../fuse/groups.js";
import { Items } from "../fuse/item.js";
import type { Value } from "../value.js";

/** Values that are one number everywhere. */
function knownValues({ values, constants, instructions }: Program): Map<ValueId, number> {
  const known = new Map<ValueId, number>();
  for (const { id, tensor } of constants) {
    const value = tensor.handle as Value;
    if (value.constant !== null) known.set(id, value.constant);
    else if (sizeOf(values[id]!.shape) === 1 && values[id]!.dtype !== "complex64")
      known.set(id, Number(value.toHost().numbers()[0]));
  }
  for (const { op, inputs, outputs, attributes } of instructions) {
    const source = known.get(inputs[0]!);
    if (op === "full") known.set(outputs[0]!, Number((attributes as { readonly value: number }).value));
    else if ((op === "broadcastTo" || op === "reshape") && source !== undefined) known.set(outputs[0]!, source);
  }
  return known;
}

/** Replaces groups of elementwise instructions, with sums over leading axes at their end, by chains that make one pass over memory. */
export function fuse(program: Program): Program {
  if (currentDevice() !== "cpu") return program;
  const items = new Items(program, knownValues(program));
  const units = unitsOf(program.instructions, items);
  const used = readers(program, units);
  const instructions = units.map((unit): Instruction => {
    if ("other" in unit) return unit.other;
    const [only] = unit.items;
    // ATen's own op is as good for a single sum.
    if (unit.items.length === 1 && !only!.emit) return only!.instruction;
    const own = new Set(unit.items.map(({ output }) => output));
    const needed = new Set([...own].filter((id) => used.get(id)?.some((reader) => reader !== unit)));
    const { inputs, outputs, code } = writeChain(program, unit.items, needed);
    const body: Program = {
      values: program.values,
      inputs,
      constants: [],
      instructions: unit.items.map(({ instruction }) => instruction),
      outputs,
    };
    const attributes: CompositeAttributes = { name: chainName, attributes: { code } satisfies ChainAttributes, body };
    return { op: "composite", inputs, outputs, attributes };
  });
  return { ...program, instructions };
}

/** Who reads each value: units, and "outside" for the Program's outputs. A view that chains alone look through reads nothing. */
function readers(program: Program, units: readonly Unit[]): Map<ValueId, (Unit | "outside")[]> {
  const found = new Map<ValueId, (Unit | "outside")[]>();
  const note = (id: ValueId, reader: Unit | "outside"): void => {
    const list = found.get(id);
    if (list) list.push(reader);
    else found.set(id, [reader]);
  };
  for (const id of program.outputs) note(id, "outside");
  // From the end, where it is known already whether anything reads what a unit gives.
  for (const unit of [...units].reverse()) {
    if ("other" in unit) {
      if (unit.other.outputs.some((id) => found.has(id))) unit.other.inputs.forEach((id) => note(id, unit));
    } else
      for (const { operands } of unit.items)
        for (const operand of operands) if (!("known" in operand)) note(operand.root, unit);
  }
  return found;
}
