import type { Executable } from "../../core/engine.js";
import type { NDArray } from "../../core/ndarray.js";
import type { Program } from "../../core/program.js";
import type { Backend, Kernels } from "../backend.js";
import { compileForHeap, type Lowerings } from "./compiler/index.js";
import { toHeap } from "./compiler/plan.js";
import { EagerHeap } from "./eager.js";
import { HeapArray, releaseArray, shareArray } from "./heap-array.js";
import { binaryKernels } from "./kernels/binary.js";
import { compareKernels } from "./kernels/compare.js";
import { control } from "./kernels/control.js";
import { convolutionKernels } from "./kernels/convolution.js";
import { createKernels } from "./kernels/create.js";
import { dotKernels } from "./kernels/dot.js";
import { foreignKernels } from "./kernels/foreign.js";
import { indexingKernels } from "./kernels/indexing.js";
import { linalgKernels } from "./kernels/linalg.js";
import { movementKernels } from "./kernels/movement.js";
import { multiplyAdd } from "./kernels/multiply-add.js";
import { poolingKernels } from "./kernels/pooling.js";
import { randomKernels } from "./kernels/random.js";
import { reduceKernels } from "./kernels/reduce.js";
import { kernelOf, replay } from "./kernels/replay.js";
import { sortKernels } from "./kernels/sort.js";
import { spectralKernels } from "./kernels/spectral.js";
import { unaryKernels } from "./kernels/unary.js";
import { dense, materialize } from "./strided-copy.js";
import type { Kernels as WasmKernels } from "./wasm/index.js";

const kernels: Kernels<NDArray> = {
  ...unaryKernels,
  ...binaryKernels,
  multiplyAdd,
  ...compareKernels,
  ...createKernels,
  ...reduceKernels,
  ...movementKernels,
  ...indexingKernels,
  ...sortKernels,
  ...randomKernels,
  ...dotKernels,
  ...convolutionKernels,
  ...poolingKernels,
  ...linalgKernels,
  ...spectralKernels,
  ...control.kernels,
  ...foreignKernels,
};

/** A kernel's result as one that its owner may keep while the inputs, which heap memory may back, are freed. */
function owned(result: NDArray, inputs: readonly NDArray[]): NDArray {
  if (result instanceof HeapArray) return inputs.includes(result) ? result.retain() : result;
  // Asking a small array for its buffer makes V8 allocate one.
  const looksAt = (x: NDArray): boolean => x instanceof HeapArray && x.heap.buffer === result.data.buffer;
  return inputs.some(looksAt) ? materialize(result) : result;
}

/**
 * The built-in engine: strided arrays in JavaScript memory; large ones and compiled Programs on the WebAssembly heap that `accelerator`
 * gives when it is needed first (null where there is none). Views share memory with what they show, since arrays are never written after
 * they are made; host arrays are copied on their way in and out. With `lowerings` of its own, another engine has a say in how Programs
 * are compiled.
 */
export function createBuiltIn(
  accelerator: () => WasmKernels | null,
  lowerings: () => Lowerings = () => ({}),
): Backend<NDArray> {
  let eager: EagerHeap | null | undefined;
  function compile(program: Program): Executable {
    const wasm = accelerator();
    return wasm ? compileForHeap(program, kernels, wasm, lowerings()) : replay(program, kernels);
  }
  /** Made at the first large op. */
  function eagerHeap(): EagerHeap | null {
    if (eager === undefined) {
      const wasm = accelerator();
      eager = wasm && new EagerHeap(wasm, compile);
    }
    return eager;
  }
  return {
    name: "numpy",
    kernels,
    execute(primitive, handles, attributes, outputs) {
      const inputs = handles as readonly NDArray[];
      const [x] = inputs;
      if (primitive === "reshape" && x instanceof HeapArray) return [x.retain(outputs[0]!.shape)];
      const results = eagerHeap()?.run(primitive, inputs, attributes, outputs);
      return (
        results ?? kernelOf(kernels, primitive)(inputs, attributes, outputs).map((result) => owned(result, inputs))
      );
    },
    fromHost(array) {
      const heap = eagerHeap();
      return heap?.takes(array.size) ? toHeap(heap.wasm, dense(array)) : array.copy();
    },
    toHost: (handle) => (handle as NDArray).copy(),
    share: (handle) => shareArray(handle as NDArray),
    dispose: (handle) => releaseArray(handle as NDArray),
    compile,
  };
}
