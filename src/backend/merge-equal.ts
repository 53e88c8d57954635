import { attributesAsText } from "../core/attributes-as-text.js";
import type { Shape } from "../core/dtype.js";
import type { Instruction, Program, ValueId } from "../core/program.js";
import { isControl } from "./control-flow.js";

const sameShape = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((d, i) => d === b[i]);

/** Computes equal instructions once, and leaves out those that give back what they are given. */
export function mergeEqual(program: Program): Program {
  const renamed = new Map<ValueId, ValueId>();
  const resolve = (id: ValueId): ValueId => renamed.get(id) ?? id;
  const seen = new Map<string, readonly ValueId[]>();
  const instructions: Instruction[] = [];
  for (const original of program.instructions) {
    const instruction = { ...original, inputs: original.inputs.map(resolve) };
    const { op, inputs, outputs, attributes } = instruction;
    if (changesNothing(program, instruction)) {
      renamed.set(outputs[0]!, inputs[0]!);
      continue;
    }
    if (op !== "composite" && !isControl(op)) {
      const { shape, dtype } = program.values[outputs[0]!]!;
      const key = `${op}|${inputs.join()}|${dtype}|${shape.join()}|${attributesAsText(attributes)}`;
      const equal = seen.get(key);
      if (equal) {
        outputs.forEach((id, i) => renamed.set(id, equal[i]!));
        continue;
      }
      seen.set(key, outputs);
    }
    instructions.push(instruction);
  }
  return { ...program, instructions, outputs: program.outputs.map(resolve) };
}

function changesNothing({ values }: Program, { op, inputs, outputs }: Instruction): boolean {
  if (op === "stopGradient") return true;
  if (op !== "cast" && op !== "reshape" && op !== "broadcastTo") return false;
  const [from, to] = [values[inputs[0]!]!, values[outputs[0]!]!];
  return from.dtype === to.dtype && sameShape(from.shape, to.shape);
}
