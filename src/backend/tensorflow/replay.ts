import type { Executable } from "../../core/engine.js";
import { eliminateDeadCode, inlineComposites, type Program, type ValueId } from "../../core/program.js";
import { lastUses } from "../last-uses.js";
import { kernelNamed } from "./kernels.js";
import type { Value } from "./value.js";

/** A Program made ready to run kernel by kernel; every value is freed after its last use, and what depends on nothing is made once. */
export function replay(source: Program): Executable {
  const program = eliminateDeadCode(inlineComposites(source));
  const uses = program.instructions.map(({ inputs, outputs }) => ({ reads: inputs, writes: outputs }));
  const dying = lastUses(program.outputs, uses);
  const steps = program.instructions.map(({ op, inputs, outputs, attributes }, i) => ({
    kernel: kernelNamed(op),
    inputs,
    outputs,
    attributes,
    specs: outputs.map((id) => program.values[id]!),
    dying: dying[i]!,
  }));
  // Values without inputs are the same in every run.
  const fixed = new Map<ValueId, Value>();
  const isFixed = (step: (typeof steps)[number]): boolean => step.inputs.length === 0;
  const running = steps.filter((step) => !isFixed(step));
  for (const step of steps.filter(isFixed))
    step.kernel([], step.attributes, step.specs).forEach((value, i) => fixed.set(step.outputs[i]!, value));

  return {
    run(handles) {
      const values: (Value | undefined)[] = new Array<Value | undefined>(program.values.length);
      program.inputs.forEach((id, i) => (values[id] = (handles[i] as Value).retain()));
      for (const { id, tensor } of program.constants) values[id] = (tensor.handle as Value).retain();
      for (const [id, value] of fixed) values[id] = value.retain();
      try {
        for (const { kernel, inputs, outputs, attributes, specs, dying } of running) {
          const results = kernel(
            inputs.map((id) => values[id]!),
            attributes,
            specs,
          );
          for (let i = 0; i < outputs.length; i++) values[outputs[i]!] = results[i]!;
          for (const id of dying) {
            values[id]!.release();
            values[id] = undefined;
          }
        }
        return program.outputs.map((id) => values[id]!.retain());
      } finally {
        for (const value of values) value?.release();
      }
    },
    dispose() {
      for (const value of fixed.values()) value.release();
      fixed.clear();
    },
  };
}
