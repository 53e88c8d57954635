import { Heap, instantiateKernels, Kernels } from "./wasm/index.js";

interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

let kernels: Kernels | null | undefined;

/** Whether the environment forbids the WebAssembly kernels: KERAS_NUMPY_WASM is "0". */
export const isAcceleratorOff = (): boolean => (globalThis as Environment).process?.env?.["KERAS_NUMPY_WASM"] === "0";

/** Offers kernels on a heap that another engine has anyway, in place of ones that would be made; whoever comes first is kept. */
export const offerAccelerator = (offered: Kernels | null): void => {
  kernels ??= offered ?? undefined;
};

/**
 * The WebAssembly kernels and their heap, made on first use; null where there are none: WebAssembly is missing or forbidden, by
 * the page or by the environment.
 */
export function accelerator(): Kernels | null {
  if (kernels === undefined) {
    const instance = isAcceleratorOff() ? null : instantiateKernels();
    kernels = instance && new Kernels(instance, new Heap(instance.memory));
  }
  return kernels;
}
