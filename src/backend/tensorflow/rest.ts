import { accelerator, createBuiltIn, type Lowerings } from "../built-in.js";
import { heapKernels, tfjsHeap } from "./heap.js";
import { libraryLowerings } from "./library-steps.js";

/** How this engine compiles: with threads, TensorFlow.js's kernels take convolutions. */
const lowerings = (): Lowerings => {
  const heap = tfjsHeap();
  return heap?.isThreaded ? libraryLowerings(heap.library) : {};
};

/** The built-in engine, which does what TensorFlow.js does not: on its heap where it has one. */
export const builtIn = createBuiltIn(() => heapKernels() ?? accelerator(), lowerings);
