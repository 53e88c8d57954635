import { attributesAsText } from "../../core/attributes-as-text.js";
import type { DType, TensorSpec } from "../../core/dtype.js";
import type { Executable } from "../../core/engine.js";
import { type NDArray, sizeOf } from "../../core/ndarray.js";
import type { Program } from "../../core/program.js";
import { emitterOf } from "./compiler/elementwise.js";
import { HeapArray } from "./heap-array.js";
import { dense } from "./strided-copy.js";
import type { Kernels as WasmKernels } from "./wasm/index.js";

/** Ops on fewer elements are done sooner in TypeScript than a compiled Program has started. */
const LARGE = 8192;
/**
 * Heap bytes in use from which on eager results are JavaScript arrays again: those are collected even while a program
 * runs without a pause and outside any scope, where nothing would free heap arrays.
 */
const SHARE = 2 ** 29;
/** Compiled ops that are kept ready. */
const READY = 512;

/** Ops on float32 that the compiler has WebAssembly kernels for. */
const floatOps = new Set([
  ...["sum", "max", "min", "product", "argMax", "argMin", "dot", "take"],
  ...["convolution", "convolutionInputGradient", "convolutionKernelGradient"],
  ...["maxPool", "maxPoolGradient", "sumPool", "sumPoolGradient"],
]);
/** Ops on 32-bit numbers that it has kernels for. */
const wordOps = new Set(["sort", "argSort", "topK", "takeAlongAxis"]);
/** Ops that copy elements of any dtype. */
const copyingOps = new Set(["concatenate", "pad", "reverse"]);
/** Ops that only look differently at JavaScript arrays, but copy heap arrays, because their memory can be freed. */
const viewingOps = new Set(["transpose", "slice", "broadcastTo"]);

const isWide = ({ dtype }: { readonly dtype: DType }): boolean => dtype !== "float64" && !dtype.endsWith("64");

function isCompiled(op: string, inputs: readonly NDArray[], output: TensorSpec): boolean {
  const first = inputs[0]!;
  if (floatOps.has(op)) return first.dtype === "float32";
  if (wordOps.has(op)) return ["float32", "int32", "uint32"].includes(first.dtype);
  if (op === "all" || op === "any") return first.dtype === "bool";
  if (copyingOps.has(op)) return isWide(first);
  if (op === "randomBits") return first.dtype === "uint32";
  if (viewingOps.has(op)) return first instanceof HeapArray;
  return (
    emitterOf(
      op,
      inputs.map((x) => x.dtype),
      output.dtype,
    ) !== null
  );
}

/** The Program that applies one op to its inputs. */
function programOf(
  op: string,
  inputs: readonly NDArray[],
  attributes: object,
  outputs: readonly TensorSpec[],
): Program {
  const ids = inputs.map((_, i) => i);
  const results = outputs.map((_, i) => inputs.length + i);
  return {
    values: [...inputs.map(({ shape, dtype }) => ({ shape, dtype })), ...outputs],
    inputs: ids,
    constants: [],
    instructions: [{ op, inputs: ids, outputs: results, attributes }],
    outputs: results,
  };
}

/** Runs large single ops as compiled Programs on the WebAssembly heap, where there is a faster kernel for them. */
export class EagerHeap {
  private readonly ready = new Map<string, Executable>();

  constructor(
    readonly wasm: WasmKernels,
    private readonly compile: (program: Program) => Executable,
    private readonly large = LARGE,
  ) {}

  /** Whether the heap takes new arrays of `size` elements. */
  takes(size: number): boolean {
    return size >= this.large && this.wasm.heap.bytesInUse < SHARE;
  }

  /** Results as heap arrays, or null where the engine's plain kernels are to be used. */
  run(op: string, inputs: readonly NDArray[], attributes: object, outputs: readonly TensorSpec[]): NDArray[] | null {
    if (inputs.length === 0 || outputs.length === 0) return null;
    let size = sizeOf(outputs[0]!.shape);
    for (const x of inputs) size = Math.max(size, x.size);
    if (!this.takes(size) || !isCompiled(op, inputs, outputs[0]!)) return null;
    const operands = inputs.map((x) => `${x.dtype}[${x.shape.join()}]`).join();
    const key = `${op} ${operands} ${attributesAsText(attributes)}`;
    let executable = this.ready.get(key);
    if (!executable) {
      executable = this.compile(programOf(op, inputs, attributes, outputs));
      this.keep(key, executable);
    }
    try {
      return executable.run(inputs.map((x) => (x instanceof HeapArray ? x : dense(x)))) as NDArray[];
    } catch (error) {
      // The memory cannot grow any further: JavaScript's may still.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  private keep(key: string, executable: Executable): void {
    if (this.ready.size >= READY) {
      const [oldest, forgotten] = this.ready.entries().next().value!;
      this.ready.delete(oldest);
      forgotten.dispose();
    }
    this.ready.set(key, executable);
  }
}
