import type { TensorSpec } from "../../core/dtype.js";
import type { Executable } from "../../core/engine.js";
import type { Instruction, Program, ValueId } from "../../core/program.js";
import type { Step as AnyStep, Values } from "../steps.js";
import type { Slot } from "./addon.js";
import { addon } from "./library.js";
import { record } from "./record.js";
import { encode } from "./recorder.js";
import type { Ref } from "./torch.js";
import { Value } from "./value.js";

/** A step that the addon may run by itself, or any other. */
export interface Step extends AnyStep<Value> {
  /** The step on its own, from what it reads to what it writes. */
  readonly direct?: Pick<Executable, "run" | "runAsync">;
}

/** Instructions as one program of the addon's. `needed` are the values read outside. */
export function nativeStep(
  program: Program,
  instructions: readonly Instruction[],
  needed: ReadonlySet<ValueId>,
  constants: ReadonlyMap<ValueId, Value>,
): Step {
  const inside = new Set(instructions.flatMap(({ outputs }) => outputs));
  const outside = (ids: readonly ValueId[]): ValueId[] =>
    [...new Set(ids)].filter((id) => !inside.has(id) && !constants.has(id));
  const everything = instructions.flatMap(({ inputs }) => inputs);
  // In the order of the Program's inputs and outputs where it is all of it, so that nothing has to be sorted in a run.
  const isAll = instructions.length === program.instructions.length;
  const reads = isAll ? program.inputs : outside(everything);
  const writes = isAll ? program.outputs : [...inside].filter((id) => needed.has(id));

  const part = record(program, instructions, reads, writes, constants);
  const id = addon.compile(
    encode(part.recorder.calls),
    Int32Array.from(part.inputs),
    Int32Array.from(part.outputs),
    part.constants.map(([register, value]) => [register, value.ref] as const),
    part.recorder.registers,
  );
  for (const value of part.made) value.release();

  const specs = writes.map((value) => program.values[value]!);
  // Filled anew for each run: the addon has read it when its call returns, and takes it faster than an array.
  const operandSlots = new Int32Array(reads.length);
  const slots = (values: readonly unknown[]): Int32Array => {
    for (let i = 0; i < operandSlots.length; i++) operandSlots[i] = (values[i] as Value).ref;
    return operandSlots;
  };
  const wrap = (results: readonly Slot[]): Value[] => results.map((slot, i) => Value.ofSlot(slot as Ref, specs[i]!));
  const reuse = reuser(
    reads.map((value) => program.values[value]!),
    specs,
  );
  const direct: Required<Pick<Executable, "run" | "runAsync">> = {
    run(handles, spent) {
      if (!spent) return wrap(addon.run(id, slots(handles)));
      const values = handles as readonly Value[];
      return reuse(addon.run(id, slots(values), spend(values, spent)), values, spent);
    },
    runAsync: async (handles, spent) => wrap(await addon.runAsync(id, slots(handles), spend(handles, spent))),
  };
  const operands = (values: Values<Value>): Value[] => reads.map((value) => values.get(value)!);
  const put = (values: Values<Value>, results: readonly unknown[]): void =>
    writes.forEach((value, i) => {
      values.get(value)?.release();
      values.set(value, results[i] as Value);
    });
  return {
    reads,
    writes,
    run: (values) => put(values, direct.run(operands(values))),
    runAsync: async (values) => put(values, await direct.runAsync(operands(values))),
    dispose: () => addon.disposeProgram(id),
    direct,
  };
}

/** Takes the tensors of those inputs that nobody else refers to; gives their positions. */
const spend = (handles: readonly unknown[], spent: readonly number[] = []): number[] =>
  spent.filter((i) => (handles[i] as Value).spend());

/**
 * Wraps results in the values of inputs of the same shape and dtype that were spent for them: a step of training then leaves nothing to
 * the garbage collector for each variable.
 */
function reuser(inputs: readonly TensorSpec[], outputs: readonly TensorSpec[]) {
  /** For each result the input whose value it takes, or -1; for the positions it was made for. */
  let plan: readonly number[] = [];
  let planned: readonly number[] | null = null;
  return (results: readonly Slot[], values: readonly Value[], spent: readonly number[]): Value[] => {
    if (planned !== spent) {
      plan = planReuse(inputs, outputs, spent);
      planned = spent;
    }
    return results.map((result, i) => {
      const slot = result as Ref;
      const value = values[plan[i]!];
      return value?.refill(slot) ? value : Value.ofSlot(slot, outputs[i]!);
    });
  };
}
/** Pairs from the end, where the results are that take the place of spent inputs: mostly each variable keeps its own value. */
function planReuse(inputs: readonly TensorSpec[], outputs: readonly TensorSpec[], spent: readonly number[]): number[] {
  const left = [...spent].reverse();
  const pairs = [...outputs].reverse().map((spec) => {
    const at = left.findIndex((i) => isSame(inputs[i]!, spec));
    return at < 0 ? -1 : left.splice(at, 1)[0]!;
  });
  return pairs.reverse();
}
const isSame = (a: TensorSpec, b: TensorSpec): boolean =>
  a.dtype === b.dtype && a.shape.length === b.shape.length && a.shape.every((size, i) => size === b.shape[i]);
