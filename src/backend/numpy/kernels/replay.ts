import type { Executable } from "../../../core/engine.js";
import type { NDArray } from "../../../core/ndarray.js";
import { eliminateDeadCode, inlineComposites, type Program, type ValueId } from "../../../core/program.js";
import type { Kernel, Kernels } from "../../backend.js";
import { lastUses } from "../../last-uses.js";
import { detached } from "../heap-array.js";

/** The kernel of a primitive; throws when the table has none. */
export function kernelOf(kernels: Kernels<NDArray>, op: string): Kernel<NDArray, object> {
  const kernel = (kernels as unknown as Readonly<Record<string, Kernel<NDArray, object> | undefined>>)[op];
  if (!kernel) throw new Error(`The numpy engine has no kernel for "${op}".`);
  return kernel;
}

/** A Program made ready by preparing to call the eager kernels one after another, dropping values after their last use. */
export function replay(source: Program, kernels: Kernels<NDArray>): Executable {
  const program = eliminateDeadCode(inlineComposites(source));
  const uses = program.instructions.map(({ inputs, outputs }) => ({ reads: inputs, writes: outputs }));
  const dying = lastUses(program.outputs, uses);
  const steps = program.instructions.map(({ op, inputs, outputs, attributes }, i) => ({
    kernel: kernelOf(kernels, op),
    inputs,
    outputs,
    attributes,
    specs: outputs.map((id) => program.values[id]!),
    dying: dying[i]!,
  }));
  return {
    run(inputs) {
      const values = new Map<ValueId, NDArray>();
      program.inputs.forEach((id, i) => values.set(id, detached(inputs[i] as NDArray)));
      for (const { id, tensor } of program.constants) values.set(id, detached(tensor.handle as NDArray));
      for (const step of steps) {
        const operands = step.inputs.map((id) => values.get(id)!);
        const results = step.kernel(operands, step.attributes, step.specs);
        step.outputs.forEach((id, i) => values.set(id, results[i]!));
        for (const id of step.dying) values.delete(id);
      }
      return program.outputs.map((id) => values.get(id)!);
    },
    dispose() {},
  };
}
