import type { Executable } from "../../core/engine.js";
import type { NDArray } from "../../core/ndarray.js";
import type { CompositeOptions } from "../../core/op.js";
import type { Program } from "../../core/program.js";
import type { Backend, Kernels } from "../backend.js";
import { offerAccelerator } from "../built-in.js";
import { compileOnHeap } from "./compile.js";
import { composites } from "./composites.js";
import { control } from "./control.js";
import { heapKernels } from "./heap.js";
import { adopt } from "./interop.js";
import { kernelNamed, kernels } from "./kernels.js";
import { replay } from "./replay.js";
import { startTensorFlow } from "./start.js";
import { devices } from "./tfjs-backend.js";
import { Value } from "./value.js";

await startTensorFlow();
offerAccelerator(heapKernels());
const compile = (program: Program): Executable => (heapKernels() ? compileOnHeap(program) : replay(program));
control.compileBodiesWith(compile);

/**
 * TensorFlow.js as an engine. Gradients, dtypes and random numbers are this package's own; of TensorFlow.js only kernels run that are
 * right and fast, everything else is done by the built-in engine. On WebAssembly, tensors of both lie in TensorFlow.js's heap, and
 * compiled Programs run there in fused passes.
 */
const backend: Backend = {
  name: "tensorflow",
  devices,
  kernels: untyped(kernels),
  execute: (primitive, inputs, attributes, outputs) =>
    kernelNamed(primitive)(inputs as readonly Value[], attributes, outputs),
  hasComposite: (name) => Object.hasOwn(composites, name),
  executeComposite: (name, inputs, attributes, outputs) =>
    composites[name]!(inputs as readonly Value[], attributes as CompositeOptions, outputs),
  adopt,
  fromHost: (array: NDArray) => Value.fromHost(array),
  toHost: (handle) => (handle as Value).toHost(),
  share: (handle) => (handle as Value).retain(),
  dispose: (handle) => (handle as Value).release(),
  compile,
};
export default backend;
export { fromTfjs, toTfjs } from "./interop.js";
export { setTfjsBackend, tfjsBackend } from "./tfjs-backend.js";

/** The table as those see it who do not know TensorFlow.js, whose types need its package. */
function untyped(table: Kernels<Value>): Kernels<unknown> {
  return table as Kernels<unknown>;
}
