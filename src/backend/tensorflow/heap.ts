import type { DataType, KernelBackend, Tensor, TensorInfo } from "@tensorflow/tfjs-core";
import type { TensorSpec } from "../../core/dtype.js";
import { sizeOf } from "../../core/ndarray.js";
import { HeapArray, HeapKernels, HeapMemory, instantiateKernels, isAcceleratorOff } from "../built-in.js";
import { type KernelModule, LibraryKernels } from "./library-kernels.js";
import { tf } from "./library.js";
import { reshaped } from "./run.js";

/** What Emscripten gives a program in JavaScript. */
interface EmscriptenModule extends KernelModule {
  _malloc(bytes: number): number;
  _free(ptr: number): void;
  readonly asm?: { readonly memory?: WebAssembly.Memory };
  readonly wasmMemory?: WebAssembly.Memory;
  readonly PThread?: object;
}
/** What the WebAssembly backend has beyond the common interface. */
interface WasmBackend extends KernelBackend {
  readonly wasm: EmscriptenModule;
  dataIdNextNumber: number;
  readonly dataIdMap: { get(dataId: object): { readonly memoryOffset: number } };
  makeOutput(shape: readonly number[], dtype: DataType, memoryOffset: number): TensorInfo;
}

/** Kernels may read a few vectors past the end of an array. */
const SLACK = 256;

/** TensorFlow.js's WebAssembly heap, on which the built-in engine's kernels work too: values pass between the two without copies. */
export class TfjsHeap extends HeapMemory {
  readonly #sizes = new Map<number, number>();
  readonly #memory: WebAssembly.Memory;
  /** The tensor that owns a piece of memory, where one does. */
  readonly #owners = new WeakMap<object, Tensor>();
  #library: LibraryKernels | null = null;
  #inUse = 0;

  constructor(
    readonly backend: WasmBackend,
    memory: WebAssembly.Memory,
  ) {
    super();
    this.#memory = memory;
  }
  /** Whether TensorFlow.js's kernels have threads. */
  get isThreaded(): boolean {
    return this.backend.wasm.PThread !== undefined;
  }
  /** TensorFlow.js's kernels on addresses. */
  get library(): LibraryKernels {
    return (this.#library ??= new LibraryKernels(this.backend.wasm, () => this.backend.dataIdNextNumber++));
  }
  override get buffer(): ArrayBufferLike {
    return this.#memory.buffer;
  }
  override get bytesInUse(): number {
    return this.#inUse;
  }
  override get allocations(): number {
    return this.#sizes.size;
  }
  override malloc(bytes: number): number {
    const size = bytes + SLACK;
    const ptr = this.backend.wasm._malloc(size) >>> 0;
    if (ptr === 0)
      throw new RangeError(
        `TensorFlow.js is out of memory: ${bytes} bytes were asked for, and its heap of ${this.buffer.byteLength} bytes cannot grow any further. ` +
          "Free tensors, or use smaller batches.",
      );
    this.#sizes.set(ptr, size);
    this.#inUse += size;
    return ptr;
  }
  override free(ptr: number): void {
    this.#forget(ptr);
    this.backend.wasm._free(ptr);
  }
  #forget(ptr: number): void {
    const size = this.#sizes.get(ptr);
    if (size === undefined)
      throw new RangeError(`Nothing is allocated at address ${ptr}: it was freed already or never reserved.`);
    this.#sizes.delete(ptr);
    this.#inUse -= size;
  }

  /** A tensor on the memory of an array in this heap: another reference, which its owner disposes of. */
  tensorOver(array: HeapArray, { shape, dtype }: TensorSpec): Tensor {
    let owner = this.#owners.get(array.memory);
    if (!owner) {
      const { ptr } = array;
      const made = tf.engine().makeTensorFromTensorInfo(this.backend.makeOutput([...shape], dtype as DataType, ptr));
      owner = tf.keep(made);
      this.#owners.set(array.memory, made);
      array.handOver(() => {
        this.#forget(ptr);
        made.dispose();
      });
    }
    return reshaped(owner, shape);
  }

  /** An array on the memory of a tensor, which it keeps from being freed. */
  arrayOver(tensor: Tensor, spec: TensorSpec): HeapArray {
    const { memoryOffset } = this.backend.dataIdMap.get(tensor.dataId);
    const bytes = tensor.size * tf.util.bytesPerElement(tensor.dtype);
    if (memoryOffset + bytes + SLACK > this.buffer.byteLength) return this.#copyOf(memoryOffset, spec);
    const reference = tf.keep(reshaped(tensor, spec.shape));
    const array = HeapArray.over(this, memoryOffset, spec, () => reference.dispose());
    this.#owners.set(array.memory, reference);
    return array;
  }
  #copyOf(ptr: number, { shape, dtype }: TensorSpec): HeapArray {
    const copy = HeapArray.allocate(this, shape, dtype);
    (copy.view() as Float32Array).set(this.view(ptr, dtype, sizeOf(shape)) as Float32Array);
    return copy;
  }
}

let made: { readonly backend: KernelBackend; readonly kernels: HeapKernels | null } | null = null;

/** The built-in engine's kernels on the heap of the TensorFlow.js backend in use; null for backends without one. */
export function heapKernels(): HeapKernels | null {
  const backend = tf.backend();
  if (made?.backend !== backend) made = { backend, kernels: kernelsOn(backend) };
  return made.kernels;
}
function kernelsOn(backend: KernelBackend): HeapKernels | null {
  const { wasm, dataIdMap } = backend as WasmBackend;
  const memory = wasm?.wasmMemory ?? wasm?.asm?.memory;
  if (isAcceleratorOff() || !memory || !dataIdMap || typeof wasm._malloc !== "function") return null;
  const instance = instantiateKernels({ memory });
  return instance && new HeapKernels(instance, new TfjsHeap(backend as WasmBackend, memory));
}
/** TensorFlow.js's heap, where its backend has one. */
export const tfjsHeap = (): TfjsHeap | null => (heapKernels()?.heap as TfjsHeap | undefined) ?? null;
