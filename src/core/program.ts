import type { TensorSpec } from "./dtype.js";
import type { Tensor } from "./tensor.js";

/** Index of a value in its Program. */
export type ValueId = number;

/** One primitive call, or a composite call that holds its body as a Program. */
export interface Instruction {
  readonly op: string;
  readonly inputs: readonly ValueId[];
  readonly outputs: readonly ValueId[];
  readonly attributes: object;
}
/** Attributes of a "composite" instruction. */
export interface CompositeAttributes {
  readonly name: string;
  readonly attributes: object;
  readonly body: Program;
}
export const isComposite = (
  instruction: Instruction,
): instruction is Instruction & { attributes: CompositeAttributes } => instruction.op === "composite";

/** A flat list of primitive calls: what is differentiated, compiled, run and exported. Values are in single-assignment form. */
export interface Program {
  /** Shape and dtype of every value, by id. */
  readonly values: readonly TensorSpec[];
  readonly inputs: readonly ValueId[];
  readonly constants: readonly { readonly id: ValueId; readonly tensor: Tensor }[];
  readonly instructions: readonly Instruction[];
  readonly outputs: readonly ValueId[];
}

/** The Program without instructions whose results nobody uses. */
export function eliminateDeadCode(program: Program): Program {
  const used = new Set<ValueId>(program.outputs);
  const kept: Instruction[] = [];
  for (let i = program.instructions.length - 1; i >= 0; i--) {
    const instruction = program.instructions[i]!;
    if (!instruction.outputs.some((id) => used.has(id))) continue;
    kept.push(instruction);
    for (const id of instruction.inputs) used.add(id);
  }
  return { ...program, instructions: kept.reverse(), constants: program.constants.filter(({ id }) => used.has(id)) };
}

/** Replaces composite instructions by their bodies, except those `keep` accepts. */
export function inlineComposites(
  program: Program,
  keep: (call: CompositeAttributes) => boolean = () => false,
): Program {
  if (!program.instructions.some((i) => isComposite(i) && !keep(i.attributes))) return program;
  const values = [...program.values];
  const constants = [...program.constants];
  const instructions: Instruction[] = [];
  const renamed = new Map<ValueId, ValueId>();
  const resolve = (id: ValueId): ValueId => renamed.get(id) ?? id;
  const emit = (instruction: Instruction): void => {
    if (!isComposite(instruction) || keep(instruction.attributes)) {
      instructions.push({ ...instruction, inputs: instruction.inputs.map(resolve) });
      return;
    }
    const { body } = instruction.attributes;
    const local = new Map<ValueId, ValueId>();
    body.inputs.forEach((id, i) => local.set(id, resolve(instruction.inputs[i]!)));
    for (const { id, tensor } of body.constants) {
      local.set(id, values.push(body.values[id]!) - 1);
      constants.push({ id: local.get(id)!, tensor });
    }
    for (const inner of body.instructions) {
      const inputs = inner.inputs.map((id) => local.get(id)!).map(resolve);
      const outputs = inner.outputs.map((id) => {
        const fresh = values.push(body.values[id]!) - 1;
        local.set(id, fresh);
        return fresh;
      });
      emit({ ...inner, inputs, outputs });
    }
    instruction.outputs.forEach((id, i) => renamed.set(id, resolve(local.get(body.outputs[i]!)!)));
  };
  for (const instruction of program.instructions) emit(instruction);
  return { ...program, values, constants, instructions, outputs: program.outputs.map(resolve) };
}
