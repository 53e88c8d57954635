export { ChainBuilder, chainAccess } from "./chain.js";
export type { Chain, ChainAccess, ChainOp, ChainRef, ChainStorage } from "./chain.js";
export { Heap } from "./heap.js";
export type { HeapView } from "./heap.js";
export { instantiateKernels } from "./instance.js";
export type { InstanceOptions, KernelInstance } from "./instance.js";
export { Kernels } from "./kernels.js";
export type { GemmOptions, MatrixRef } from "./kernels.js";
