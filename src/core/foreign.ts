import { type DType, isDType, type Shape, type TensorSpec } from "./dtype.js";
import type { Handle } from "./engine.js";

/** An array of another library: a tensor of TensorFlow.js, an array of jax-js, or anything else with these three. */
export interface ForeignArray {
  readonly shape: Shape;
  /** Name of the element type; those that libraries share with Keras are known. */
  readonly dtype: string;
  /** The elements in row-major order. */
  dataSync(): ArrayBufferView | readonly string[];
}
/** An engine's reference to the values of a foreign array. */
export interface Adopted extends TensorSpec {
  readonly handle: Handle;
}

/** Whether `value` is an array of another library. */
export const isForeignArray = (value: unknown): value is ForeignArray =>
  typeof value === "object" &&
  value !== null &&
  "dataSync" in value &&
  typeof value.dataSync === "function" &&
  "shape" in value &&
  Array.isArray(value.shape) &&
  "dtype" in value &&
  typeof value.dtype === "string";

/** Element type of a foreign array; throws a TypeError for those that have no counterpart, as strings. */
export function foreignDType({ dtype }: ForeignArray): DType {
  if (isDType(dtype)) return dtype;
  throw new TypeError(`An array of another library must hold numbers or booleans. Received elements of type ${dtype}.`);
}

/** The elements of a foreign array, which stays its owner's: where reading gives up a reference (jax-js), it gets one of its own. */
export function readForeign(array: ForeignArray): ArrayBufferView {
  const dtype = foreignDType(array);
  const reference = "ref" in array ? (array.ref as ForeignArray) : array;
  const data = reference.dataSync();
  if (ArrayBuffer.isView(data)) return data;
  throw new TypeError(`An array of another library gave no typed array for its ${dtype} elements.`);
}
