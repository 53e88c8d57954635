import type { DataType, Tensor } from "@tensorflow/tfjs-core";
import type { DType, Shape, TensorSpec } from "../../core/dtype.js";
import { NDArray, sizeOf, type TypedArray } from "../../core/ndarray.js";
import { HeapArray } from "../built-in.js";
import { tfjsHeap } from "./heap.js";
import { tf } from "./library.js";
import { builtIn } from "./rest.js";

/** Types that TensorFlow.js has itself; values of all others lie with the built-in engine. */
const native = new Set<DType>(["float32", "int32", "bool"]);
export const isNative = (dtype: DType): boolean => native.has(dtype);

/**
 * This engine's handle: a value that lies with TensorFlow.js, with the built-in engine, or, once both have needed it, with both.
 * Never written after it is made; reference-counted, because neither side's memory is seen by the garbage collector.
 */
export class Value {
  readonly shape: Shape;
  readonly dtype: DType;
  #tensor: Tensor | null;
  #array: NDArray | null;
  #references = 1;

  private constructor({ shape, dtype }: TensorSpec, tensor: Tensor | null, array: NDArray | null) {
    this.shape = shape;
    this.dtype = dtype;
    this.#tensor = tensor;
    this.#array = array;
  }
  /** Takes over a tensor of TensorFlow.js. */
  static ofTensor(tensor: Tensor, spec: TensorSpec): Value {
    // Programs may call from inside tf.tidy, which would free what is meant to stay.
    return new Value(spec, tf.keep(tensor), null);
  }
  /** Takes over a handle of the built-in engine. */
  static ofArray(array: NDArray): Value {
    return new Value(array, null, array);
  }
  /** Copies a host array to where arrays of its type and size are at home. */
  static fromHost(array: NDArray): Value {
    if (isNative(array.dtype) && array.size > 1) return Value.ofTensor(upload(array, array), array);
    return Value.ofArray(builtIn.fromHost(array) as NDArray);
  }

  get size(): number {
    return sizeOf(this.shape);
  }
  /** Whether TensorFlow.js has it already. */
  get isTensor(): boolean {
    return this.#tensor !== null;
  }
  /** Whether the built-in engine has it already. */
  get isArray(): boolean {
    return this.#array !== null;
  }
  /** The value as a tensor of TensorFlow.js, borrowed. */
  get tensor(): Tensor {
    this.#check();
    return (this.#tensor ??= upload(this.#array!, this));
  }
  /** The value as a handle of the built-in engine, borrowed. */
  get array(): NDArray {
    this.#check();
    return (this.#array ??= download(this.#tensor!, this));
  }
  /** The only element where there is just one and the built-in engine has it, else null. */
  get scalar(): number | null {
    return this.#array !== null && this.size === 1 ? this.#array.numbers()[0]! : null;
  }
  /** A copy on the host. */
  toHost(): NDArray {
    this.#check();
    if (this.#array) return builtIn.toHost(this.#array) as NDArray;
    const data = this.#tensor!.dataSync<"float32">() as TypedArray;
    return new NDArray(data.slice() as TypedArray, this.shape, this.dtype);
  }

  retain(): this {
    this.#check();
    this.#references++;
    return this;
  }
  release(): void {
    this.#check();
    if (--this.#references > 0) return;
    this.#tensor?.dispose();
    if (this.#array) builtIn.dispose(this.#array);
  }
  #check(): void {
    if (this.#references === 0) throw new Error(`This value (shape [${this.shape}], ${this.dtype}) was freed already.`);
  }
}

function upload(array: NDArray, spec: TensorSpec): Tensor {
  const heap = tfjsHeap();
  if (heap && array instanceof HeapArray && array.heap === heap) return tf.keep(heap.tensorOver(array, spec));
  const { data } = array.contiguous();
  // Other backends than WebAssembly keep the very array they are given.
  const values = heap ? data : data.slice();
  return tf.keep(tf.engine().makeTensor(values as Float32Array, [...spec.shape], spec.dtype as DataType));
}

function download(tensor: Tensor, spec: TensorSpec): NDArray {
  const heap = tfjsHeap();
  if (heap) return heap.arrayOver(tensor, spec);
  return builtIn.fromHost(new NDArray(tensor.dataSync<"float32">() as TypedArray, spec.shape, spec.dtype)) as NDArray;
}
