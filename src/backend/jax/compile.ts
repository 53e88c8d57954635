import type { Executable } from "../../core/engine.js";
import {
  eliminateDeadCode,
  inlineComposites,
  type Instruction,
  type Program,
  type ValueId,
} from "../../core/program.js";
import { mergeEqual } from "../merge-equal.js";
import { rounds } from "../rounds.js";
import { instructionStep, type Step, stepRunner } from "../steps.js";
import { control } from "./control.js";
import { runBuiltIn } from "./eager.js";
import { type Compiled, compileFunction, type JaxArray } from "./library.js";
import { sizeOf } from "../../core/ndarray.js";
import { written } from "./ops.js";
import { loweringOf } from "./native/index.js";
import { renewed, SEGMENT, segmentsOf } from "./segments.js";
import { Value } from "./value.js";

const lowered = (program: Program, { op, inputs, outputs, attributes }: Instruction): ReturnType<typeof loweringOf> => {
  const specs = (ids: readonly ValueId[]): Program["values"] => ids.map((id) => program.values[id]!);
  return loweringOf(op, specs(inputs), attributes, specs(outputs));
};

/** Ops that cost nothing to repeat. */
const free = new Set(["full", "iota", "reshape", "transpose", "broadcastTo", "slice", "cast", "stopGradient"]);
/** Elements of a result for each element of an operand from which on the operand is computed beforehand. */
const FAN_OUT = 4;

/**
 * The values that are written to memory because ops on larger arrays read them: jax-js would compute, say, a learning
 * rate again for each element of a weight.
 */
function worthStoring(program: Program, instructions: readonly Instruction[]): ReadonlySet<ValueId> {
  const sizeOfValue = (id: ValueId): number => sizeOf(program.values[id]!.shape);
  const candidates = new Set(instructions.flatMap(({ op, outputs }) => (free.has(op) ? [] : outputs)));
  const source = new Map<ValueId, ValueId>();
  const worth = new Set<ValueId>();
  for (const { op, inputs, outputs } of instructions) {
    const origins = inputs.map((id) => source.get(id) ?? id);
    const size = Math.max(...outputs.map(sizeOfValue));
    for (const id of origins) if (candidates.has(id) && size >= FAN_OUT * sizeOfValue(id)) worth.add(id);
    if (free.has(op) && origins.length === 1) source.set(outputs[0]!, origins[0]!);
  }
  return worth;
}

/** Instructions as one function compiled by jax-js. `needed` are the values read afterwards. */
function nativeStep(program: Program, instructions: readonly Instruction[], needed: ReadonlySet<ValueId>): Step<Value> {
  const inside = new Set(instructions.flatMap(({ outputs }) => outputs));
  const reads = [...new Set(instructions.flatMap(({ inputs }) => inputs))].filter((id) => !inside.has(id));
  const writes = [...inside].filter((id) => needed.has(id));
  const worth = worthStoring(program, instructions);
  const compiled: Compiled = compileFunction((...arrays) => {
    const traced = new Map<ValueId, JaxArray>(reads.map((id, i) => [id, arrays[i]!]));
    const made = new Map<ValueId, () => JaxArray>();
    const value = (id: ValueId): JaxArray => traced.get(id) ?? made.get(id)!();
    for (const instruction of instructions) {
      const { op, inputs, outputs, attributes } = instruction;
      const specs = outputs.map((id) => program.values[id]!);
      const run = (): JaxArray[] => lowered(program, instruction)!.lower(inputs.map(value), attributes, specs);
      if (renewed.has(op)) made.set(outputs[0]!, () => run()[0]!);
      else run().forEach((result, i) => traced.set(outputs[i]!, worth.has(outputs[i]!) ? written(result) : result));
    }
    return writes.map((id) => value(id).ref);
  });
  return {
    reads,
    writes,
    run(values) {
      const results = compiled(...reads.map((id) => values.get(id)!.jax.ref));
      writes.forEach((id, i) => values.set(id, Value.ofJax(results[i]!, program.values[id]!)));
    },
    dispose: () => compiled.dispose(),
  };
}

/** What jax-js does not run: control flow, or a kernel of the built-in engine. */
const runOther: typeof runBuiltIn = (op, operands, attributes, specs) =>
  control.run(op, operands, attributes, specs) ?? runBuiltIn(op, operands, attributes, specs);

function stepsOf(program: Program, limit: number): Step<Value>[] {
  const units = rounds(program, (instruction) => lowered(program, instruction) !== null).flatMap(
    ({ native, other }) => [...(native.length > 0 ? segmentsOf(program, native, limit) : []), ...other],
  );
  const readAfter = new Set(program.outputs);
  const steps: Step<Value>[] = [];
  for (const unit of units.reverse()) {
    const step = "op" in unit ? instructionStep(program, unit, runOther) : nativeStep(program, unit, readAfter);
    for (const id of step.writes) readAfter.delete(id);
    for (const id of step.reads) readAfter.add(id);
    steps.push(step);
  }
  return steps.reverse();
}

/**
 * A Program made ready: the whole of it as one function of jax-js, in parts only where jax-js cannot do all of it or where it would write
 * more than `limit` bytes at once.
 */
export function compile(source: Program, limit = SEGMENT): Executable {
  const program = eliminateDeadCode(mergeEqual(inlineComposites(source)));
  const steps = stepsOf(program, limit);
  const constants = new Map(program.constants.map(({ id, tensor }) => [id, tensor.handle as Value]));
  const { run } = stepRunner(program, constants, steps);
  return {
    run,
    dispose() {
      for (const step of steps) step.dispose();
    },
  };
}
