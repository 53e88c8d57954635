import { accelerator, createBuiltIn } from "../built-in.js";
import { heapKernels } from "./heap.js";

/** The built-in engine, which does what TensorFlow.js does not: on its heap where it has one. */
export const builtIn = createBuiltIn(() => heapKernels() ?? accelerator());
