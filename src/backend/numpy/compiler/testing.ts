import type { DType, TensorSpec } from "../../../core/dtype.js";
import { bindEngine } from "../../../core/engine.js";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Program } from "../../../core/program.js";
import type { Tensor } from "../../../core/tensor.js";
import { trace } from "../../../core/trace.js";
import { HeapArray, hostCopy, releaseArray } from "../heap-array.js";
import backend from "../index.js";
import { replay } from "../kernels/replay.js";
import { Heap, type InstanceOptions, instantiateKernels, Kernels } from "../wasm/index.js";
import { compileForHeap } from "./index.js";

bindEngine(backend);

/** Kernels with a heap of their own; throws where there is no WebAssembly, without which the compiler is not used. */
export function makeWasm(options: InstanceOptions = {}): Kernels {
  const instance = instantiateKernels(options);
  if (!instance) throw new Error("This runtime has no WebAssembly SIMD.");
  return new Kernels(instance, new Heap(instance.memory));
}
export const wasm = makeWasm();

/** Repeatable numbers in [0, 1). */
export function random(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

/** An array of a spec: floats in [-2, 2), integers in [-4, 4] (unsigned: [0, 4]), bools by chance. */
export function randomArray({ shape, dtype }: TensorSpec, next: () => number): NDArray {
  const integer = (low: number): number => low + Math.floor(next() * (5 - low));
  const draw: Record<string, () => number> = {
    bool: () => integer(0) & 1,
    uint8: () => integer(0),
    uint32: () => integer(0),
    int8: () => integer(-4),
    int32: () => integer(-4),
  };
  const values = Array.from({ length: sizeOf(shape) }, draw[dtype] ?? (() => 4 * next() - 2));
  return NDArray.from(values, dtype).reshape(shape);
}

export const spec = (shape: readonly number[], dtype: DType = "float32"): TensorSpec => ({ shape, dtype });

/** The largest difference of two arrays relative to the larger of 1 and their size; NaN equals NaN. Infinity when shapes or dtypes differ. */
export function difference(a: NDArray, b: NDArray): number {
  if (a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) return Infinity;
  const [x, y] = [a.numbers(), b.numbers()];
  let worst = 0;
  for (let i = 0; i < x.length; i++) {
    if (Object.is(x[i], y[i]) || x[i] === y[i]) continue;
    const d = Math.abs(x[i]! - y[i]!) / Math.max(1, Math.abs(x[i]!), Math.abs(y[i]!));
    worst = Math.max(worst, Number.isNaN(d) ? Infinity : d);
  }
  return worst;
}

export interface Comparison {
  readonly worst: number;
  readonly program: Program;
  readonly results: readonly NDArray[];
  readonly expected: readonly NDArray[];
}

/** Traces `fn` and runs it three times compiled (from the host, then from the heap) and once by replay. */
export function compare(
  fn: (...xs: Tensor[]) => readonly Tensor[],
  specs: readonly TensorSpec[],
  arrays: readonly NDArray[],
  on: Kernels = wasm,
): Comparison {
  const program = trace(fn, specs);
  const expected = replay(program, backend.kernels).run(arrays) as NDArray[];
  const before = on.heap.bytesInUse;
  const executable = compileForHeap(program, backend.kernels, on);
  const inHeap = arrays.map((array) => {
    const copy = HeapArray.allocate(on.heap, array.shape, array.dtype);
    (copy.view() as Float32Array).set(array.contiguous().data as Float32Array);
    return copy;
  });
  let worst = 0;
  let results: NDArray[] = [];
  for (const inputs of [inHeap, inHeap, arrays]) {
    results = (executable.run(inputs) as NDArray[]).map(hostCopy);
    results.forEach((result, i) => (worst = Math.max(worst, difference(result, expected[i]!))));
  }
  inHeap.forEach((copy, i) => (worst = Math.max(worst, difference(copy, arrays[i]!))));
  inHeap.forEach(releaseArray);
  executable.dispose();
  if (on.heap.bytesInUse < before) throw new Error("More heap memory was freed than was taken.");
  return { worst, program, results, expected };
}

/** The largest difference between `fn` compiled and replayed on random arrays. */
export function worst(fn: (...xs: Tensor[]) => readonly Tensor[], ...specs: TensorSpec[]): number {
  const next = random(specs.length + specs[0]!.shape.length);
  return compare(
    fn,
    specs,
    specs.map((s) => randomArray(s, next)),
  ).worst;
}
