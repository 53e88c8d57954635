import type { Executable } from "../../core/engine.js";
import type { Program, ValueId } from "../../core/program.js";
import { rounds } from "../rounds.js";
import { instructionStep, stepRunner } from "../steps.js";
import { prepare } from "./passes/index.js";
import { isNative } from "./record.js";
import { nativeStep, type Step } from "./native-step.js";
import { runPrimitive } from "./run-primitive.js";
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
    ...other.map((instruction) => instructionStep(program, instruction, runPrimitive)),
  ]);
}

/** A Program made ready: the whole of it as one program of the addon's, in parts only where ATen cannot do all of it. */
export function compile(source: Program): Executable {
  const program = prepare(source);
  const given = new Set(source.constants.map(({ tensor }) => tensor));
  const made = program.constants.filter(({ tensor }) => !given.has(tensor)).map(({ tensor }) => tensor.handle as Value);
  const constants = new Map(program.constants.map(({ id, tensor }) => [id, tensor.handle as Value]));
  const steps = stepsOf(program, constants);
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
  return { ...stepRunner(program, constants, steps), dispose };
}
const sameIds = (a: readonly ValueId[], b: readonly ValueId[]): boolean =>
  a.length === b.length && a.every((id, i) => id === b[i]);
