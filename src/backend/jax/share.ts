import { type Instruction, type Program, type ValueId } from "../../core/program.js";

/** Attributes as text that tells numbers apart which JSON does not. */
export const attributesAsText = (attributes: object): string =>
  JSON.stringify(attributes, (_, value: unknown) =>
    typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
      ? `number ${Object.is(value, -0) ? "-0" : value}`
      : value,
  );

/** The Program with every value computed once: of instructions that do the same to the same the first one stays. */
export function shareEqual(program: Program, isPlain: (op: string) => boolean): Program {
  const known = new Map<string, Instruction>();
  const renamed = new Map<ValueId, ValueId>();
  const resolve = (id: ValueId): ValueId => renamed.get(id) ?? id;
  const instructions: Instruction[] = [];
  for (const source of program.instructions) {
    const instruction = { ...source, inputs: source.inputs.map(resolve) };
    const key = isPlain(source.op) && `${source.op} ${instruction.inputs} ${attributesAsText(source.attributes)}`;
    const equal = key ? known.get(key) : undefined;
    if (equal) source.outputs.forEach((id, i) => renamed.set(id, equal.outputs[i]!));
    else {
      instructions.push(instruction);
      if (key) known.set(key, instruction);
    }
  }
  return { ...program, instructions, outputs: program.outputs.map(resolve) };
}
