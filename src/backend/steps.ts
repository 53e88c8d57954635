import type { TensorSpec } from "../core/dtype.js";
import type { Executable } from "../core/engine.js";
import type { Instruction, Program, ValueId } from "../core/program.js";
import { lastUses } from "./last-uses.js";
import type { LibraryValue } from "./library-value.js";

/** The values at hand during a run, owned. */
export type Values<V> = Map<ValueId, V>;
/** Part of a Program: it reads what earlier parts left, and leaves what later ones read. */
export interface Step<V> {
  readonly reads: readonly ValueId[];
  readonly writes: readonly ValueId[];
  run(values: Values<V>): void;
  runAsync?(values: Values<V>): Promise<void>;
  dispose(): void;
}

/** One instruction that the engine's library does not run. */
export function instructionStep<V>(
  program: Program,
  { op, inputs, outputs, attributes }: Instruction,
  runOp: (op: string, operands: readonly V[], attributes: object, specs: readonly TensorSpec[]) => readonly V[],
): Step<V> {
  const specs = outputs.map((id) => program.values[id]!);
  return {
    reads: inputs,
    writes: outputs,
    run(values) {
      const operands = inputs.map((id) => values.get(id)!);
      const results = runOp(op, operands, attributes, specs);
      outputs.forEach((id, i) => values.set(id, results[i]!));
    },
    dispose() {},
  };
}

/** How a Program runs that was cut into steps: one after another, each value released after its last use. */
export function stepRunner<V extends LibraryValue<unknown>>(
  program: Program,
  constants: ReadonlyMap<ValueId, V>,
  steps: readonly Step<V>[],
): Required<Pick<Executable, "run" | "runAsync">> {
  const dying = lastUses(program.outputs, steps);
  const begin = (handles: readonly unknown[]): Values<V> => {
    const values: Values<V> = new Map();
    program.inputs.forEach((id, i) => values.set(id, (handles[i] as V).retain()));
    for (const [id, value] of constants) values.set(id, value.retain());
    return values;
  };
  const forget = (values: Values<V>, i: number): void => {
    for (const id of dying[i]!) {
      values.get(id)?.release();
      values.delete(id);
    }
  };
  const results = (values: Values<V>): V[] => program.outputs.map((id) => values.get(id)!.retain());
  const end = (values: Values<V>): void => {
    for (const value of values.values()) value.release();
  };
  return {
    run(handles) {
      const values = begin(handles);
      try {
        steps.forEach((step, i) => {
          step.run(values);
          forget(values, i);
        });
        return results(values);
      } finally {
        end(values);
      }
    },
    async runAsync(handles) {
      const values = begin(handles);
      try {
        for (const [i, step] of steps.entries()) {
          await (step.runAsync ? step.runAsync(values) : step.run(values));
          forget(values, i);
        }
        return results(values);
      } finally {
        end(values);
      }
    },
  };
}
