import type { DataType, Tensor } from "@tensorflow/tfjs-core";
import type { DType, TensorSpec } from "../../core/dtype.js";
import { NDArray, type TypedArray } from "../../core/ndarray.js";
import { HeapArray } from "../built-in.js";
import { LibraryValue } from "../library-value.js";
import { tfjsHeap } from "./heap.js";
import { tf } from "./library.js";
import { builtIn } from "./rest.js";

/** Types that TensorFlow.js has itself; values of all others lie with the built-in engine. */
const native = new Set<DType>(["float32", "int32", "bool"]);
export const isNative = (dtype: DType): boolean => native.has(dtype);

/** This engine's handle. */
export class Value extends LibraryValue<Tensor> {
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

  /** Whether TensorFlow.js has it already. */
  get isTensor(): boolean {
    return this.ownIfThere !== null;
  }
  /** The value as a tensor of TensorFlow.js, borrowed. */
  get tensor(): Tensor {
    return this.own;
  }
  /** The only element where there is just one and the built-in engine has it, else null. */
  get scalar(): number | null {
    return this.size === 1 && this.arrayIfThere ? this.arrayIfThere.numbers()[0]! : null;
  }

  protected override upload(array: NDArray): Tensor {
    return upload(array, this);
  }
  protected override download(tensor: Tensor): NDArray {
    const data = tensor.dataSync<"float32">() as TypedArray;
    return new NDArray(data.slice() as TypedArray, this.shape, this.dtype);
  }
  protected override toBuiltIn(tensor: Tensor): NDArray {
    const heap = tfjsHeap();
    if (heap) return heap.arrayOver(tensor, this);
    const data = tensor.dataSync<"float32">() as TypedArray;
    return builtIn.fromHost(new NDArray(data, this.shape, this.dtype)) as NDArray;
  }
  protected override free(tensor: Tensor): void {
    tensor.dispose();
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
