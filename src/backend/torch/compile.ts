import type { Executable } from "../../core/engine.js";
import type { Program, ValueId } from "../../core/program.js";
import { lastUses } from "../last-uses.js";
import { rounds } from "../rounds.js";
import { prepare } from "./passes/index.js";
import { isNative } from "./record.js";
import { nativeStep, otherStep, type Step, type Values } from "./steps.js";
import type { Value } from "./value.js";

function stepsOf(program: Program, constants: ReadonlyMap<ValueId, Value>): Step[] {
  const parts = rounds(program, (instruction) => isNative(program, instruction));
  const readAfter: Set<ValueId>[] = [];
  const seen = new Set(program.outputs);
  for (let i = parts.length - 1; i >= 0; i--) {
    for (const { inputs } of parts[i]!.other) inputs.forEach((id) => seen.add(id));
    readAfter[i] = new Set(seen);
    for (const { inputs } of parts[i]!.native) inputs.forEach((id) => seen.add(id));
  }
  return parts.flatMap(({ native, other }, i) => [
    ...(native.length > 0 ? [nativeStep(program, native, readAfter[i]!, constants)] : []),
    ...other.map((instruction) => otherStep(program, instruction)),
  ]);
}

/** A Program made ready: the whole of it as one program of the addon's, in parts only where ATen cannot do all of it. */
export function compile(source: Program): Executable {
  const program = prepare(source);
  const given = new Set(source.constants.map(({ tensor }) => tensor));
  const made = program.constants.filter(({ tensor }) => !given.has(tensor)).map(({ tensor }) => tensor.handle as Value);
  const constants = new Map(program.constants.map(({ id, tensor }) => [id, tensor.handle as Value]));
  const steps = stepsOf(program, constants);
  const dying = lastUses(program.outputs, steps);

  const begin = (handles: readonly unknown[]): Values => {
    const values: Values = new Map();
    program.inputs.forEach((id, i) => values.set(id, (handles[i] as Value).retain()));
    for (const [id, value] of constants) values.set(id, value.retain());
    return values;
  };
  const forget = (values: Values, i: number): void => {
    for (const id of dying[i]!) {
      values.get(id)?.release();
      values.delete(id);
    }
  };
  const end = (values: Values): void => {
    for (const value of values.values()) value.release();
  };
  const dispose = (): void => {
    for (const step of steps) step.dispose();
    for (const value of made) value.release();
  };

  const [only] = steps;
  if (
    steps.length === 1 &&
    only!.direct &&
    sameIds(only!.reads, program.inputs) &&
    sameIds(only!.writes, program.outputs)
  )
    return { ...only!.direct, dispose };
  return {
    run(handles) {
      const values = begin(handles);
      try {
        steps.forEach((step, i) => {
          step.run(values);
          forget(values, i);
        });
        return program.outputs.map((id) => values.get(id)!.retain());
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
        return program.outputs.map((id) => values.get(id)!.retain());
      } finally {
        end(values);
      }
    },
    dispose,
  };
}
const sameIds = (a: readonly ValueId[], b: readonly ValueId[]): boolean =>
  a.length === b.length && a.every((id, i) => id === b[i]);
