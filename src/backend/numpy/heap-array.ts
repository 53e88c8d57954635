import { dtypeBytes, type DType, type Shape, type TensorSpec } from "../../core/dtype.js";
import { NDArray, sizeOf, type TypedArray } from "../../core/ndarray.js";
import type { HeapMemory } from "./wasm/index.js";

/** A reference-counted piece of the WebAssembly heap. */
class HeapBuffer {
  #references = 1;
  constructor(
    readonly heap: HeapMemory,
    readonly ptr: number,
    /** Gives the memory back. */
    public free: () => void = () => heap.free(ptr),
  ) {}
  retain(): void {
    this.#references++;
  }
  release(): void {
    if (--this.#references === 0) this.free();
  }
}

// The net for arrays nobody released.
const strays = new FinalizationRegistry<HeapBuffer>((buffer) => buffer.release());

/** `data` is read afresh each time: growth of the memory detaches the views made before. */
const liveData: PropertyDescriptor & ThisType<HeapArray> = {
  get() {
    return this.view();
  },
};

/** A contiguous array in the WebAssembly heap: what compiled programs return. Freed by `release`, at the latest when it is collected. */
export class HeapArray extends NDArray {
  readonly #buffer: HeapBuffer;
  readonly #length: number;
  #view: TypedArray | null = null;
  #released = false;

  private constructor(buffer: HeapBuffer, shape: Shape, dtype: DType) {
    const data = buffer.heap.view(buffer.ptr, dtype, sizeOf(shape));
    super(data, shape, dtype);
    this.#buffer = buffer;
    this.#length = sizeOf(shape);
    Object.defineProperty(this, "data", liveData);
    strays.register(this, buffer, this);
  }

  /** Reserves memory for an array; its contents are whatever was there. */
  static allocate(heap: HeapMemory, shape: Shape, dtype: DType): HeapArray {
    const ptr = heap.malloc(sizeOf(shape) * dtypeBytes(dtype));
    return new HeapArray(new HeapBuffer(heap, ptr), shape, dtype);
  }

  /** An array in memory that somebody else allocated in the heap; `free` is called when nobody needs it any more. */
  static over(heap: HeapMemory, ptr: number, { shape, dtype }: TensorSpec, free: () => void): HeapArray {
    return new HeapArray(new HeapBuffer(heap, ptr, free), shape, dtype);
  }
  /** Hands the memory over to another owner: in place of being given back to the heap, `free` is called. */
  handOver(free: () => void): void {
    this.#check();
    this.#buffer.free = free;
  }
  /** Identity of the memory, which references to it share. */
  get memory(): object {
    return this.#buffer;
  }

  /** Address of the first element. Throws when the array was released. */
  get ptr(): number {
    this.#check();
    return this.#buffer.ptr;
  }
  get heap(): HeapMemory {
    return this.#buffer.heap;
  }
  get isReleased(): boolean {
    return this.#released;
  }

  /** The elements, seen through the memory as it is now. */
  view(): TypedArray {
    this.#check();
    const { heap, ptr } = this.#buffer;
    if (!this.#view || this.#view.buffer !== heap.buffer) this.#view = heap.view(ptr, this.dtype, this.#length);
    return this.#view;
  }

  /** Another owned reference to the same memory, under another shape of equal size if one is given. */
  retain(shape: Shape = this.shape): HeapArray {
    this.#check();
    this.#buffer.retain();
    return new HeapArray(this.#buffer, shape, this.dtype);
  }

  /** Gives this reference back; the memory is free when it was the last. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#view = null;
    strays.unregister(this);
    this.#buffer.release();
  }

  #check(): void {
    if (this.#released) throw new Error(`This array (shape [${this.shape}], ${this.dtype}) was released already.`);
  }
}

/** Gives up an owned array: frees heap memory, leaves other arrays to the garbage collector. */
export function releaseArray(x: NDArray): void {
  if (x instanceof HeapArray) x.release();
}

/** Another owned reference to the same elements. */
export const shareArray = (x: NDArray): NDArray => (x instanceof HeapArray ? x.retain() : x);

/** An owned array outside the heap in place of an owned `x`, which is released; arrays outside the heap pass as they are. */
export function hostCopy(x: NDArray): NDArray {
  if (!(x instanceof HeapArray)) return x;
  const copy = x.copy();
  x.release();
  return copy;
}

/** What a kernel may keep views of: a borrowed heap array is copied out, because its memory can be freed under a view. */
export const detached = (x: NDArray): NDArray => (x instanceof HeapArray ? x.copy() : x);
