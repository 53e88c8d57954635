import { Heap } from "./heap.js";
import { instantiateKernels } from "./instance.js";
import { Kernels } from "./kernels.js";

const made = new Map<boolean, Kernels>();

/** Kernels for tests, one heap per variant; throws where WebAssembly is missing. */
export function testKernels(fma: boolean): Kernels {
  let kernels = made.get(fma);
  if (!kernels) {
    const instance = instantiateKernels({ fma });
    if (!instance) throw new Error("This runtime has no WebAssembly SIMD.");
    kernels = new Kernels(instance, new Heap(instance.memory));
    made.set(fma, kernels);
  }
  return kernels;
}

/** Copies values into a new allocation and returns its address. */
export function put(
  kernels: Kernels,
  values: ArrayLike<number>,
  dtype: "float32" | "int32" | "uint8" = "float32",
): number {
  const ptr = kernels.heap.malloc(Math.max(1, values.length) * 4);
  kernels.heap.view(ptr, dtype, values.length).set(values as ArrayLike<number> & ArrayLike<never>);
  return ptr;
}

/** Repeatable pseudo-random floats in [-1, 1). */
export function noise(length: number, seed = 1): Float32Array {
  let state = seed >>> 0 || 1;
  return Float32Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2147483648 - 1;
  });
}
