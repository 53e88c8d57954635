import type { TensorSpec } from "../../core/dtype.js";
import type { Executable } from "../../core/engine.js";
import { NDArray } from "../../core/ndarray.js";
import type { Program } from "../../core/program.js";
import type { Kernels } from "../backend.js";
import { builtIn } from "./rest.js";
import { Value } from "./value.js";

let compiler: ((program: Program) => Executable) | null = null;
const compiled = new WeakMap<Program, Executable>();

/** Sets how the Programs inside control flow are made ready to run. The engine does so when it is put together. */
export function useSubProgramCompiler(compile: (program: Program) => Executable): void {
  compiler = compile;
}
function runSubProgram(program: Program, inputs: readonly Value[]): Value[] {
  let executable = compiled.get(program);
  if (!executable) {
    executable = compiler!(program);
    compiled.set(program, executable);
  }
  return executable.run(inputs) as Value[];
}

const isTrue = (x: Value): boolean => Number(x.array.numbers()[0]) !== 0;
const release = (x: Value): void => x.release();

/** One slice of the leading axis of an array of the built-in engine, copied. */
function sliceAt(x: NDArray, i: number): Value {
  const width = x.dtype === "complex64" ? 2 : 1;
  const size = (x.size / x.shape[0]!) * width;
  const { data } = x.contiguous();
  return Value.fromHost(new NDArray(data.subarray(i * size, (i + 1) * size), x.shape.slice(1), x.dtype));
}

/** Slices of equal shape, collected on the host along a new leading axis. */
class Stack {
  readonly #array: NDArray;
  constructor(spec: TensorSpec) {
    this.#array = NDArray.zeros(spec.shape, spec.dtype);
  }
  put(i: number, x: Value): void {
    const { data } = x.toHost();
    (this.#array.data as Float32Array).set(data as Float32Array, i * data.length);
  }
  finish(): Value {
    return Value.ofArray(builtIn.fromHost(this.#array) as NDArray);
  }
}

/** Control flow over compiled bodies. */
export const controlKernels = {
  cond: ([predicate, ...operands], { whenTrue, whenFalse }) =>
    runSubProgram(isTrue(predicate!) ? whenTrue : whenFalse, operands),

  whileLoop: (inputs, { condition, body, carries, conditionCaptures }) => {
    const forCondition = inputs.slice(carries, carries + conditionCaptures);
    const forBody = inputs.slice(carries + conditionCaptures);
    let state = inputs.slice(0, carries).map((x) => x.retain() as Value);
    for (;;) {
      const [proceed] = runSubProgram(condition, [...state, ...forCondition]);
      const go = isTrue(proceed!);
      proceed!.release();
      if (!go) return state;
      const next = runSubProgram(body, [...state, ...forBody]);
      state.forEach(release);
      state = next;
    }
  },

  scan: (inputs, { body, carries, sequences, length, reverse, keepCarries }, outputs) => {
    const xs = inputs.slice(carries, carries + sequences).map((x) => x.array);
    const captured = inputs.slice(carries + sequences);
    const results = body.outputs.length - carries;
    const stacks = outputs.slice(carries, carries + results).map((spec) => new Stack(spec));
    const kept = keepCarries ? outputs.slice(carries + results).map((spec) => new Stack(spec)) : [];
    let state = inputs.slice(0, carries).map((x) => x.retain() as Value);
    for (let n = 0; n < length; n++) {
      const i = reverse ? length - 1 - n : n;
      kept.forEach((stack, c) => stack.put(i, state[c]!));
      const slices = xs.map((x) => sliceAt(x, i));
      const next = runSubProgram(body, [...state, ...slices, ...captured]);
      slices.forEach(release);
      state.forEach(release);
      state = next.slice(0, carries);
      stacks.forEach((stack, r) => {
        stack.put(i, next[carries + r]!);
        next[carries + r]!.release();
      });
    }
    return [...state, ...[...stacks, ...kept].map((stack) => stack.finish())];
  },
} satisfies Pick<Kernels<Value>, "cond" | "whileLoop" | "scan">;
