import type { NDArray } from "../../core/ndarray.js";
import type { Backend, Kernels } from "../backend.js";
import { useSubProgramCompiler } from "./control.js";
import { kernelNamed, kernels } from "./kernels.js";
import { replay } from "./replay.js";
import { startTensorFlow } from "./start.js";
import { Value } from "./value.js";

await startTensorFlow();
useSubProgramCompiler(replay);

/**
 * TensorFlow.js as an engine. Gradients, dtypes and random numbers are this package's own; of TensorFlow.js only kernels run that are
 * right and fast, everything else is done by the built-in engine.
 */
const backend: Backend = {
  name: "tensorflow",
  kernels: untyped(kernels),
  execute: (primitive, inputs, attributes, outputs) =>
    kernelNamed(primitive)(inputs as readonly Value[], attributes, outputs),
  fromHost: (array: NDArray) => Value.fromHost(array),
  toHost: (handle) => (handle as Value).toHost(),
  share: (handle) => (handle as Value).retain(),
  dispose: (handle) => (handle as Value).release(),
  compile: replay,
};
export default backend;

/** The table as those see it who do not know TensorFlow.js, whose types need its package. */
function untyped(table: Kernels<Value>): Kernels<unknown> {
  return table as Kernels<unknown>;
}
