import type { Tensor as TfjsTensor } from "@tensorflow/tfjs-core";
import { type Adopted, type ForeignArray, foreignDType } from "../../core/foreign.js";
import { fromData, type Tensor } from "../../core/tensor.js";
import { tf } from "./library.js";
import { reshaped } from "./run.js";
import { isNative, Value } from "./value.js";

/** The engine's reference to the values of a tensor of TensorFlow.js; null for other arrays, and for booleans: theirs need not be 0 and 1. */
export function adopt(array: ForeignArray): Adopted | null {
  if (!(array instanceof tf.Tensor) || (array.dtype !== "float32" && array.dtype !== "int32")) return null;
  const spec = { shape: [...array.shape], dtype: foreignDType(array) };
  return { ...spec, handle: Value.ofTensor(reshaped(array, spec.shape), spec) };
}

/**
 * The values of a tensor as a tensor of TensorFlow.js, without a copy. It is the caller's, who disposes of it or lets `tf.tidy` do so; the
 * memory lives until both sides have let go. Throws a TypeError for a dtype that TensorFlow.js does not have: cast it to float32, int32
 * or bool first.
 */
export function toTfjs(x: Tensor): TfjsTensor {
  const value = x.handle;
  if (!(value instanceof Value))
    throw new TypeError('toTfjs takes tensors of the "tensorflow" engine. Choose it with KERAS_BACKEND=tensorflow.');
  if (!isNative(x.dtype))
    throw new TypeError(`TensorFlow.js has no tensors of ${x.dtype}. Cast to float32, int32 or bool first.`);
  return reshaped(value.tensor, x.shape);
}

/**
 * A tensor with the values of a tensor of TensorFlow.js, without a copy unless they are booleans. The latter stays the caller's, who may dispose of it at once; the
 * new one is freed as all tensors are. Ops, layers and models take tensors of TensorFlow.js as they are and call this themselves.
 */
export function fromTfjs(x: TfjsTensor): Tensor {
  return fromData(x);
}
