import { Heap, instantiateKernels, Kernels } from "./wasm/index.js";

interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

let kernels: Kernels | null | undefined;

/** Offers kernels on a heap that another engine has anyway, in place of ones that would be made; whoever comes first is kept. */
export const offerAccelerator = (offered: Kernels | null): void => {
  kernels ??= offered ?? undefined;
};

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
