import type { NDArray } from "../../../core/ndarray.js";
import { HeapArray } from "../heap-array.js";
import type { Kernels as WasmKernels } from "../wasm/index.js";
import { toHeap } from "./plan.js";

/** Copies of arrays that were passed more than once: weights of a model that is not trained stay in the heap. */
const copies = new WeakMap<WasmKernels, WeakMap<NDArray, { copy: HeapArray | null }>>();

/** Brings the arguments of a program into the heap: heap arrays as they are, others as copies that live as long as the run. */
export class HeapInputs {
  private readonly addresses: Float64Array;
  private readonly passing: HeapArray[] = [];
  private readonly kept: WeakMap<NDArray, { copy: HeapArray | null }>;

  constructor(
    private readonly wasm: WasmKernels,
    count: number,
  ) {
    this.addresses = new Float64Array(count);
    const known = copies.get(wasm);
    this.kept = known ?? new WeakMap();
    if (!known) copies.set(wasm, this.kept);
  }

  /** Addresses of the arguments, valid until `leave`. */
  enter(arrays: readonly NDArray[]): Float64Array {
    for (let i = 0; i < this.addresses.length; i++) this.addresses[i] = this.place(arrays[i]!).ptr;
    return this.addresses;
  }
  /** Frees the copies made for one run. */
  leave(): void {
    for (const copy of this.passing) copy.release();
    this.passing.length = 0;
  }

  private place(array: NDArray): HeapArray {
    if (array instanceof HeapArray && array.heap === this.wasm.heap) return array;
    const known = this.kept.get(array);
    if (known) return (known.copy ??= toHeap(this.wasm, array));
    this.kept.set(array, { copy: null });
    const copy = toHeap(this.wasm, array);
    this.passing.push(copy);
    return copy;
  }
}
