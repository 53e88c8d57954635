import { Heap, instantiateKernels, Kernels } from "./wasm/index.js";

interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

let kernels: Kernels | null | undefined;

/**
 * The WebAssembly kernels and their heap, made on first use; null where there are none: WebAssembly is missing or forbidden, or the
 * environment variable KERAS_NUMPY_WASM is "0".
 */
export function accelerator(): Kernels | null {
  if (kernels === undefined) {
    const off = (globalThis as Environment).process?.env?.["KERAS_NUMPY_WASM"] === "0";
    const instance = off ? null : instantiateKernels();
    kernels = instance && new Kernels(instance, new Heap(instance.memory));
  }
  return kernels;
}
