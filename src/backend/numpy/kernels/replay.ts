import type { Executable } from "../../../core/engine.js";
import type { NDArray } from "../../../core/ndarray.js";
import { eliminateDeadCode, inlineComposites, type Program, type ValueId } from "../../../core/program.js";
import type { Kernel, Kernels } from "../../backend.js";
import { detached } from "../heap-array.js";

/** An engine's kernels, found by an instruction's name. */
export type KernelTable = Readonly<Record<string, Kernel<NDArray, never>>>;

/** The kernel of a primitive; throws when the table has none. */
export function kernelOf(kernels: Kernels<NDArray>, op: string): Kernel<NDArray, object> {
  const kernel = (kernels as unknown as Readonly<Record<string, Kernel<NDArray, object> | undefined>>)[op];
  if (!kernel) throw new Error(`The numpy engine has no kernel for "${op}".`);
  return kernel;
}

/** For each instruction the values that nothing reads after it. */
export function lastUses(program: Program): ValueId[][] {
  const seen = new Set(program.outputs);
  const dying: ValueId[][] = program.instructions.map(() => []);
  for (let i = program.instructions.length - 1; i >= 0; i--) {
    const { inputs, outputs } = program.instructions[i]!;
    for (const id of new Set([...inputs, ...outputs])) {
      if (seen.has(id)) continue;
      seen.add(id);
      dying[i]!.push(id);
    }
  }
  return dying;
}

/** A Program made ready by preparing to call the eager kernels one after another, dropping values after their last use. */
export function replay(source: Program, kernels: Kernels<NDArray>): Executable {
  const program = eliminateDeadCode(inlineComposites(source));
  const dying = lastUses(program);
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
