import type { TensorSpec } from "../core/dtype.js";
import type { Executable } from "../core/engine.js";
import { NDArray } from "../core/ndarray.js";
import type { Program } from "../core/program.js";
import type { Kernels } from "./backend.js";

/** Primitives with Programs in their attributes. */
export type ControlOp = "cond" | "whileLoop" | "scan";
type ControlKernels<V> = Pick<Kernels<V>, ControlOp>;
/** Whether the op is one of control flow, with Programs in its attributes. */
export const isControl = (op: string): op is ControlOp => op === "cond" || op === "whileLoop" || op === "scan";

/** Values of equal shape on their way to one along a new leading axis. */
export interface Stack<V> {
  /** Sets slice `i` to a borrowed value. */
  put(i: number, x: V): void;
  /** The whole, owned; nothing is put afterwards. */
  finish(): V;
}

/** What control flow does with the values of an engine. */
export interface ControlledValues<V> {
  /** Another owned reference. */
  retain(x: V): V;
  /** Gives an owned reference up. */
  release(x: V): void;
  /** The value as an array to read, borrowed. */
  host(x: V): NDArray;
  /** Slice `i` of the leading axis, owned. */
  slice(x: V, i: number): V;
  stack(spec: TensorSpec): Stack<V>;
  /** What an owned result is handed out as; itself where absent. */
  result?(x: V): V;
}

/** Slice `i` of the leading axis, as a view. */
export const sliceOf = ({ data, shape, dtype, strides, offset }: NDArray, i: number): NDArray =>
  new NDArray(data, shape.slice(1), dtype, strides.slice(1), offset + i * strides[0]!);

/** Collects slices on the host: `host` reads one, `own` makes a value of the array that holds them all. */
export function hostStack<V>(spec: TensorSpec, host: (x: V) => NDArray, own: (array: NDArray) => V): Stack<V> {
  const all = NDArray.zeros(spec.shape, spec.dtype);
  return {
    put(i, x) {
      const { data } = host(x).contiguous();
      (all.data as Float32Array).set(data as Float32Array, i * data.length);
    },
    finish: () => own(all),
  };
}

/**
 * Control flow for an engine that has none: branches and loops run here, over bodies that the engine compiles when they are met first. What
 * a body was compiled to is disposed when its Program is collected, so it must not hold on to that.
 */
export class ControlFlow<V> {
  readonly kernels: ControlKernels<V>;
  readonly #ready = new WeakMap<Program, Executable>();
  readonly #forgotten = new FinalizationRegistry<Executable>((executable) => executable.dispose());
  #compile: ((program: Program) => Executable) | null = null;

  constructor(values: ControlledValues<V>) {
    this.kernels = kernelsFor(values, (program, inputs) => this.#run(program, inputs));
  }

  /** Sets how bodies are made ready to run. The engine does so when it is put together. */
  compileBodiesWith(compile: (program: Program) => Executable): void {
    this.#compile = compile;
  }

  /** Runs an op of control flow; null when `op` is none. */
  run(op: string, inputs: readonly V[], attributes: object, outputs: readonly TensorSpec[]): V[] | null {
    return isControl(op) ? this.kernels[op](inputs, attributes as never, outputs) : null;
  }

  #run(program: Program, inputs: readonly V[]): V[] {
    let executable = this.#ready.get(program);
    if (!executable) {
      if (!this.#compile)
        throw new Error("Control flow has no compiler for its bodies: call compileBodiesWith() first.");
      this.#ready.set(program, (executable = this.#compile(program)));
      this.#forgotten.register(program, executable);
    }
    return executable.run(inputs) as V[];
  }
}

/** The kernels; `run` runs a body on borrowed values and gives owned ones. */
function kernelsFor<V>(
  values: ControlledValues<V>,
  run: (program: Program, inputs: readonly V[]) => V[],
): ControlKernels<V> {
  const retain = (x: V): V => values.retain(x);
  const release = (x: V): void => values.release(x);
  const results = (owned: V[]): V[] => (values.result ? owned.map((x) => values.result!(x)) : owned);
  const isTrue = (x: V): boolean => {
    const { data, offset } = values.host(x);
    return data[offset] !== 0;
  };
  return {
    cond: ([predicate, ...operands], { whenTrue, whenFalse }) =>
      results(run(isTrue(predicate!) ? whenTrue : whenFalse, operands)),

    whileLoop: (inputs, { condition, body, carries, conditionCaptures }) => {
      const forCondition = inputs.slice(carries, carries + conditionCaptures);
      const forBody = inputs.slice(carries + conditionCaptures);
      let state = inputs.slice(0, carries).map(retain);
      for (;;) {
        const [proceed] = run(condition, [...state, ...forCondition]);
        const goesOn = isTrue(proceed!);
        release(proceed!);
        if (!goesOn) return results(state);
        const next = run(body, [...state, ...forBody]);
        state.forEach(release);
        state = next;
      }
    },

    scan: (inputs, { body, carries, sequences, length, reverse }, outputs) => {
      const xs = inputs.slice(carries, carries + sequences);
      const captured = inputs.slice(carries + sequences);
      const stacks = outputs.slice(carries).map((spec) => values.stack(spec));
      // Those of results come first, then, where these are kept, those of the carries that steps began with.
      const kept = stacks.slice(body.outputs.length - carries);
      let state = inputs.slice(0, carries).map(retain);
      for (let n = 0; n < length; n++) {
        const i = reverse ? length - 1 - n : n;
        kept.forEach((stack, c) => stack.put(i, state[c]!));
        const slices = xs.map((x) => values.slice(x, i));
        const next = run(body, [...state, ...slices, ...captured]);
        slices.forEach(release);
        state.forEach(release);
        state = next.splice(0, carries);
        next.forEach((x, r) => {
          stacks[r]!.put(i, x);
          release(x);
        });
      }
      return [...results(state), ...stacks.map((stack) => stack.finish())];
    },
  };
}
