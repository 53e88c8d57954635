/**
 * The built-in engine, which needs nothing installed: other engines leave to it what theirs cannot do. One whose library has a WebAssembly
 * heap makes a built-in engine of its own on that heap, so that values need no copies between the two.
 */
export { accelerator, isAcceleratorOff, offerAccelerator } from "./numpy/accelerator.js";
export type { Lower, Lowerings } from "./numpy/compiler/lower.js";
export type { Lowering as LoweringState } from "./numpy/compiler/lowering.js";
export type { View } from "./numpy/compiler/view.js";
export { reverseView, transposeView, wholeOf } from "./numpy/compiler/view.js";
export { createBuiltIn } from "./numpy/engine.js";
export { HeapArray } from "./numpy/heap-array.js";
export { default as builtIn } from "./numpy/index.js";
export { HeapMemory, instantiateKernels, Kernels as HeapKernels } from "./numpy/wasm/index.js";
