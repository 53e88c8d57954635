import { sizeOf } from "../../../core/ndarray.js";
import type { Instruction, Program, ValueId } from "../../../core/program.js";
import { Tensor } from "../../../core/tensor.js";
import { isControl } from "../../control-flow.js";
import { runPrimitive } from "../run-primitive.js";
import type { Value } from "../value.js";

/** Elements up to which a value is kept instead of being computed in every run. */
const LARGEST = 1 << 14;

/** Computes once what depends on no input. */
export function foldConstants(program: Program): Program {
  const known = new Map<ValueId, Value>(program.constants.map(({ id, tensor }) => [id, tensor.handle as Value]));
  const constants = [...program.constants];
  const instructions: Instruction[] = [];
  for (const instruction of program.instructions) {
    const { op, inputs, outputs, attributes } = instruction;
    const specs = outputs.map((id) => program.values[id]!);
    const foldable =
      op !== "composite" &&
      !isControl(op) &&
      inputs.every((id) => known.has(id)) &&
      specs.every(({ shape }) => sizeOf(shape) <= LARGEST);
    if (!foldable) {
      instructions.push(instruction);
      continue;
    }
    const values = runPrimitive(
      op,
      inputs.map((id) => known.get(id)!),
      attributes,
      specs,
    );
    outputs.forEach((id, i) => {
      known.set(id, values[i]!);
      constants.push({ id, tensor: new Tensor(values[i], specs[i]!, false) });
    });
  }
  return { ...program, constants, instructions };
}
