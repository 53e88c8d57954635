import { afterEach, expect, it, vi } from "vitest";
import { Heap } from "./heap.js";
import { type KernelInstance, instantiateKernels } from "./instance.js";
import { Kernels } from "./kernels.js";
import { put } from "./testing.js";

afterEach(() => vi.unstubAllGlobals());

function product(instance: KernelInstance): number {
  const kernels = new Kernels(instance, new Heap(instance.memory));
  const [a, b, c] = [put(kernels, [1, 2, 3]), put(kernels, [4, 5, 6]), put(kernels, [0])] as [number, number, number];
  // Makes the memory grow, which replaces a plain memory's buffer.
  kernels.heap.malloc(30_000_000);
  kernels.gemm(1, 1, 3, { ptr: a, rowStride: 3, colStride: 1 }, { ptr: b, rowStride: 1, colStride: 1 }, c, 1);
  return kernels.heap.view(c, "float32", 1)[0]!;
}

it("works on shared and on plain memory", () => {
  for (const shared of [true, false]) {
    const instance = instantiateKernels({ shared })!;
    expect(instance.shared).toBe(shared);
    expect(product(instance)).toBe(32);
  }
});

it("keeps views of a shared memory valid when it grows", () => {
  const heap = new Heap(instantiateKernels()!.memory);
  const view = heap.view(heap.malloc(16), "float32", 4);
  heap.malloc(40_000_000);
  expect(view.length).toBe(4);
});

it("works in a memory of somebody else without touching what is there", () => {
  const memory = new WebAssembly.Memory({ initial: 20, maximum: 65536 });
  new Uint8Array(memory.buffer).fill(7);
  const instance = instantiateKernels({ memory })!;
  expect(instance.memory).toBe(memory);
  expect(new Uint8Array(memory.buffer, 1024).every((byte) => byte === 7)).toBe(true);
  expect(product(instance)).toBe(32);
});

it("turns fused multiply-add off on request", () => {
  expect(instantiateKernels({ fma: false })!.fma).toBe(false);
  vi.stubEnv("KERAS_NUMPY_FMA", "0");
  expect(instantiateKernels()!.fma).toBe(false);
  vi.unstubAllEnvs();
});

it("is null without WebAssembly, and where a policy refuses to compile", () => {
  const { validate, Memory, Instance } = WebAssembly;
  class Module {
    constructor() {
      throw new EvalError("Refused to compile or instantiate WebAssembly module");
    }
  }
  vi.stubGlobal("WebAssembly", { validate, Memory, Instance, Module });
  expect(instantiateKernels()).toBeNull();
  vi.stubGlobal("WebAssembly", undefined);
  expect(instantiateKernels()).toBeNull();
});
