import type { NDArray } from "../../../core/ndarray.js";
import { HeapArray } from "../heap-array.js";
import type { HeapMemory, Kernels as WasmKernels } from "../wasm/index.js";

/**
 * Calls `run` with the addresses of float32 operands in row-major order and of room for `size` results, and returns those. Operands that
 * are not in the heap are copied there for the call.
 */
export function onHeap(
  { heap }: WasmKernels,
  operands: readonly NDArray[],
  size: number,
  run: (operands: readonly number[], result: number) => void,
): Float32Array {
  const taken: number[] = [];
  const take = (length: number): number => {
    const ptr = heap.malloc(length * 4);
    taken.push(ptr);
    return ptr;
  };
  try {
    const pointers = operands.map((x) => {
      if (x instanceof HeapArray && x.heap === heap) return x.ptr;
      const { data } = outsideHeap(heap, x.contiguous());
      const ptr = take(x.size);
      heap.view(ptr, "float32", x.size).set(data as Float32Array);
      return ptr;
    });
    const result = take(size);
    run(pointers, result);
    return heap.view(result, "float32", size).slice();
  } finally {
    for (const ptr of taken) heap.free(ptr);
  }
}

/** `x` out of the heap's memory: where that is not shared, growth would take it away. */
const outsideHeap = ({ buffer }: HeapMemory, x: NDArray): NDArray => (x.data.buffer === buffer ? x.copy() : x);
