import type { Shape } from "../../../core/dtype.js";
import { allocate, NDArray, sizeOf, type TypedArray } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { hostCopy, releaseArray } from "../heap-array.js";
import { runSubProgram } from "./sub-programs.js";

const width = (x: { dtype: string }): number => (x.dtype === "complex64" ? 2 : 1);

/** One slice of the leading axis, as a view. */
const sliceAt = (x: NDArray, i: number): NDArray =>
  new NDArray(x.data, x.shape.slice(1), x.dtype, x.strides.slice(1), x.offset + i * x.strides[0]!);

/** Slices of equal shape, collected along a new leading axis. */
class Stack {
  readonly #data: TypedArray;
  readonly #step: number;
  constructor(private readonly spec: { readonly shape: Shape; readonly dtype: NDArray["dtype"] }) {
    this.#data = allocate(spec.dtype, sizeOf(spec.shape));
    this.#step = sizeOf(spec.shape.slice(1)) * width(spec);
  }
  put(i: number, x: NDArray): void {
    (this.#data as Float32Array).set(x.contiguous().data as Float32Array, i * this.#step);
  }
  finish(): NDArray {
    return new NDArray(this.#data, this.spec.shape, this.spec.dtype);
  }
}

const isTrue = (x: NDArray): boolean => Number(x.data[x.offset]) !== 0;

/** Control flow: bodies are compiled once and run as often as asked. */
export const controlKernels = {
  cond: ([predicate, ...operands], { whenTrue, whenFalse }) =>
    runSubProgram(isTrue(predicate!) ? whenTrue : whenFalse, operands).map(hostCopy),

  whileLoop: (inputs, { condition, body, carries, conditionCaptures }) => {
    const forCondition = inputs.slice(carries, carries + conditionCaptures);
    const forBody = inputs.slice(carries + conditionCaptures);
    let state = inputs.slice(0, carries);
    for (let first = true; ; first = false) {
      const [proceed] = runSubProgram(condition, [...state, ...forCondition]);
      const go = isTrue(proceed!);
      releaseArray(proceed!);
      if (!go) return state.map(first ? (x) => x : hostCopy);
      const next = runSubProgram(body, [...state, ...forBody]);
      if (!first) state.forEach(releaseArray);
      state = next;
    }
  },

  scan: (inputs, { body, carries, sequences, length, reverse, keepCarries }, outputs) => {
    const xs = inputs.slice(carries, carries + sequences);
    const captured = inputs.slice(carries + sequences);
    const results = body.outputs.length - carries;
    const stacks = outputs.slice(carries, carries + results).map((spec) => new Stack(spec));
    const kept = keepCarries ? outputs.slice(carries + results).map((spec) => new Stack(spec)) : [];
    let state = inputs.slice(0, carries);
    for (let n = 0; n < length; n++) {
      const i = reverse ? length - 1 - n : n;
      kept.forEach((stack, c) => stack.put(i, state[c]!));
      const next = runSubProgram(body, [...state, ...xs.map((x) => sliceAt(x, i)), ...captured]);
      if (n > 0) state.forEach(releaseArray);
      state = next.slice(0, carries);
      stacks.forEach((stack, r) => {
        stack.put(i, next[carries + r]!);
        releaseArray(next[carries + r]!);
      });
    }
    const final = length > 0 ? state.map(hostCopy) : state;
    return [...final, ...stacks.map((stack) => stack.finish()), ...kept.map((stack) => stack.finish())];
  },
} satisfies Pick<Kernels<NDArray>, "cond" | "whileLoop" | "scan">;
