import type { Shape, TensorSpec } from "../../core/dtype.js";
import type { Executable } from "../../core/engine.js";
import { allocate, NDArray, sizeOf, type TypedArray } from "../../core/ndarray.js";
import type { Program } from "../../core/program.js";
import type { CondAttributes, ScanAttributes, WhileLoopAttributes } from "../../primitives/index.js";
import { Value } from "./value.js";

/** Runs a Program; results are owned. */
export type RunProgram = (program: Program, inputs: readonly Value[]) => Value[];
type Control<Attributes> = (
  run: RunProgram,
  inputs: readonly Value[],
  attributes: Attributes,
  outputs: readonly TensorSpec[],
) => Value[];

const isTrue = (x: Value): boolean => Number(x.host().numbers()[0]) !== 0;
const releaseAll = (values: readonly Value[]): void => values.forEach((x) => x.release());
const retainAll = (values: readonly Value[]): Value[] => values.map((x) => x.retain());

/** One slice of the leading axis. */
const sliceAt = (x: NDArray, i: number): Value =>
  Value.ofHost(new NDArray(x.data, x.shape.slice(1), x.dtype, x.strides.slice(1), x.offset + i * x.strides[0]!).copy());

/** Slices of equal shape, collected along a new leading axis. */
class Stack {
  readonly #data: TypedArray;
  readonly #step: number;
  constructor(private readonly spec: { readonly shape: Shape; readonly dtype: NDArray["dtype"] }) {
    this.#data = allocate(spec.dtype, sizeOf(spec.shape));
    this.#step = sizeOf(spec.shape.slice(1)) * (spec.dtype === "complex64" ? 2 : 1);
  }
  put(i: number, x: Value): void {
    (this.#data as Float32Array).set(x.host().contiguous().data as Float32Array, i * this.#step);
  }
  finish(): Value {
    return Value.ofHost(new NDArray(this.#data, this.spec.shape, this.spec.dtype));
  }
}

const cond: Control<CondAttributes> = (run, [predicate, ...operands], { whenTrue, whenFalse }) =>
  run(isTrue(predicate!) ? whenTrue : whenFalse, operands);

const whileLoop: Control<WhileLoopAttributes> = (run, inputs, { condition, body, carries, conditionCaptures }) => {
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

const scan: Control<ScanAttributes> = (run, inputs, attributes, outputs) => {
  const { body, carries, sequences, length, reverse, keepCarries } = attributes;
  const xs = inputs.slice(carries, carries + sequences).map((x) => x.host());
  const captured = inputs.slice(carries + sequences);
  const results = body.outputs.length - carries;
  const stacks = outputs.slice(carries, carries + results).map((spec) => new Stack(spec));
  const kept = keepCarries ? outputs.slice(carries + results).map((spec) => new Stack(spec)) : [];
  let state = retainAll(inputs.slice(0, carries));
  for (let n = 0; n < length; n++) {
    const i = reverse ? length - 1 - n : n;
    kept.forEach((stack, c) => stack.put(i, state[c]!));
    const slices = xs.map((x) => sliceAt(x, i));
    const next = run(body, [...state, ...slices, ...captured]);
    releaseAll(slices);
    releaseAll(state);
    state = next.slice(0, carries);
    stacks.forEach((stack, r) => stack.put(i, next[carries + r]!));
    releaseAll(next.slice(carries));
  }
  return [...state, ...stacks.map((stack) => stack.finish()), ...kept.map((stack) => stack.finish())];
};

/** Control flow: jax-js has none, so the engine loops and compiles the bodies. */
const controls: Readonly<Record<string, Control<never>>> = { cond, whileLoop, scan };

/** Whether the op is one of control flow, with Programs in its attributes. */
export const isControl = (op: string): boolean => Object.hasOwn(controls, op);

const compiled = new WeakMap<Program, Executable>();
let compiler: ((program: Program) => Executable) | null = null;
/** Sets how bodies are made ready to run. The engine does so when it is put together. */
export function useBodyCompiler(compile: (program: Program) => Executable): void {
  compiler = compile;
}
const runBody: RunProgram = (program, inputs) => {
  let executable = compiled.get(program);
  if (!executable) compiled.set(program, (executable = compiler!(program)));
  return executable.run(inputs) as Value[];
};

/** Runs a control-flow op; null when `op` is none. */
export function runControl(
  op: string,
  inputs: readonly Value[],
  attributes: object,
  outputs: readonly TensorSpec[],
): Value[] | null {
  const control = isControl(op) ? controls[op]! : null;
  return control && control(runBody, inputs, attributes as never, outputs);
}
