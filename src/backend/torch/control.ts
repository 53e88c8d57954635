import type { TensorSpec } from "../../core/dtype.js";
import type { Executable } from "../../core/engine.js";
import type { Program } from "../../core/program.js";
import type { CondAttributes, ScanAttributes, WhileLoopAttributes } from "../../primitives/index.js";
import { addon } from "./library.js";
import { findOp } from "./op-table.js";
import { storedAs } from "./storage.js";
import type { Ref } from "./torch.js";
import { Value } from "./value.js";

type Control<Attributes> = (
  inputs: readonly Value[],
  attributes: Attributes,
  outputs: readonly TensorSpec[],
) => Value[];

let compiler: ((program: Program) => Executable) | null = null;
const compiled = new WeakMap<Program, Executable>();
// Compiled bodies hold memory of libtorch's, which goes when nobody can run them any more.
const forgotten = new FinalizationRegistry<Executable>((executable) => executable.dispose());
/** Sets how bodies are made ready to run. The engine does so when it is put together. */
export function useBodyCompiler(compile: (program: Program) => Executable): void {
  compiler = compile;
}
function run(program: Program, inputs: readonly Value[]): Value[] {
  let executable = compiled.get(program);
  if (!executable) {
    compiled.set(program, (executable = compiler!(program)));
    forgotten.register(program, executable);
  }
  return executable.run(inputs) as Value[];
}

const isTrue = (x: Value): boolean => Number(x.toHost().numbers()[0]) !== 0;
const releaseAll = (values: readonly Value[]): void => values.forEach((x) => x.release());
const retainAll = (values: readonly Value[]): Value[] => values.map((x) => x.retain());

/** One slice of the leading axis, as a view. */
const sliceAt = (x: Value, i: number): Value =>
  Value.ofSlot(addon.call(findOp("select.int").id, x.ref, 0, i) as Ref, { shape: x.shape.slice(1), dtype: x.dtype });

/** Values of equal shape along a new leading axis; takes them over. */
function stacked(parts: readonly Value[], spec: TensorSpec): Value {
  const refs = parts.map((x) => x.ref);
  const slot =
    parts.length > 0
      ? addon.call(findOp("stack").id, refs, 0)
      : addon.call(findOp("empty.memory_format").id, spec.shape, storedAs(spec.dtype));
  releaseAll(parts);
  return Value.ofSlot(slot as Ref, spec);
}

const cond: Control<CondAttributes> = ([predicate, ...operands], { whenTrue, whenFalse }) =>
  run(isTrue(predicate!) ? whenTrue : whenFalse, operands);

const whileLoop: Control<WhileLoopAttributes> = (inputs, { condition, body, carries, conditionCaptures }) => {
  const forCondition = inputs.slice(carries, carries + conditionCaptures);
  const forBody = inputs.slice(carries + conditionCaptures);
  let state = retainAll(inputs.slice(0, carries));
  for (;;) {
    const [proceed] = run(condition, [...state, ...forCondition]);
    const go = isTrue(proceed!);
    proceed!.release();
    if (!go) return state;
    const next = run(body, [...state, ...forBody]);
    releaseAll(state);
    state = next;
  }
};

const scan: Control<ScanAttributes> = (inputs, attributes, outputs) => {
  const { body, carries, sequences, length, reverse, keepCarries } = attributes;
  const xs = inputs.slice(carries, carries + sequences);
  const captured = inputs.slice(carries + sequences);
  const results = body.outputs.length - carries;
  const collected: Value[][] = Array.from({ length: results }, () => []);
  const kept: Value[][] = keepCarries ? Array.from({ length: carries }, () => []) : [];
  let state = retainAll(inputs.slice(0, carries));
  for (let n = 0; n < length; n++) {
    const i = reverse ? length - 1 - n : n;
    const slices = xs.map((x) => sliceAt(x, i));
    const next = run(body, [...state, ...slices, ...captured]);
    releaseAll(slices);
    if (keepCarries) state.forEach((x, c) => kept[c]!.push(x));
    else releaseAll(state);
    state = next.slice(0, carries);
    next.slice(carries).forEach((x, r) => collected[r]!.push(x));
  }
  const stacks = [...collected, ...kept].map((parts, i) =>
    stacked(reverse ? parts.reverse() : parts, outputs[carries + i]!),
  );
  return [...state, ...stacks];
};

const controls: Readonly<Record<string, Control<never>>> = { cond, whileLoop, scan };

/** Runs a control-flow op over compiled bodies; null when `op` is none. */
export function runControl(
  op: string,
  inputs: readonly Value[],
  attributes: object,
  outputs: readonly TensorSpec[],
): Value[] | null {
  const control = Object.hasOwn(controls, op) ? controls[op]! : null;
  return control && control(inputs, attributes as never, outputs);
}
/** Whether an op is control flow. */
export const isControl = (op: string): boolean => Object.hasOwn(controls, op);
