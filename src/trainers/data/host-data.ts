import { isFloat } from "../../core/dtype.js";
import { isForeignArray } from "../../core/foreign.js";
import { type ArrayLikeData, NDArray } from "../../core/ndarray.js";
import { floatx } from "../../core/settings.js";
import { Tensor } from "../../core/tensor.js";
import { Variable } from "../../core/variable.js";
import { isPlainObject } from "../../config/envelope.js";
import { showValue } from "../../utils/show-value.js";
import type { HostTree } from "../types.js";

/**
 * Data of users as host arrays in its structure: nested arrays of numbers, typed arrays, NDArrays, tensors and `{ data, shape }` are
 * leaves; arrays and plain objects of such are structures. A promise only when tensors are among them.
 * @param count Arrays the model expects: nested numbers in an array of as many are that many arrays, not one.
 * @throws TypeError for anything else, calling it `name`.
 */
export function readData(value: unknown, name: string, count = 1): HostTree | Promise<HostTree> {
  const waiting: Promise<void>[] = [];
  const read = (part: unknown, path: string): unknown => {
    if (part === null || part === undefined) return null;
    const leaf = readLeaf(part, path);
    if (leaf) return leaf;
    if (part instanceof Tensor || part instanceof Variable) {
      const slot = new Slot();
      const values = part instanceof Tensor ? part.data() : part.numpy();
      waiting.push(values.then((array) => void (slot.array = standardized(array, path))));
      return slot;
    }
    if (Array.isArray(part)) return part.map((item, i) => read(item, `${path}[${i}]`));
    if (part instanceof Map) return readDict(Object.fromEntries(part as Map<string, unknown>), path);
    if (isPlainObject(part)) return readDict(part, path);
    throw new TypeError(
      `\`${path}\` must be an array: nested arrays of numbers, a typed array, an NDArray, a tensor or { data, shape }, or a ` +
        `structure of these. Received: ${showValue(part)}.`,
    );
  };
  const readDict = (dict: Record<string, unknown>, path: string): unknown =>
    Object.fromEntries(Object.entries(dict).map(([key, item]) => [key, read(item, `${path}.${key}`)]));
  const several = count > 1 && Array.isArray(value) && value.length === count && value.every(Array.isArray);
  const tree = (several ? value.map((item, i) => read(item, `${name}[${i}]`)) : read(value, name)) as HostTree;
  return waiting.length === 0 ? tree : Promise.all(waiting).then(() => settled(tree) as HostTree);
}

/** Whether `value` can be read as one array, without being a tensor. */
const isArrayData = (value: object): boolean =>
  value instanceof NDArray ||
  (ArrayBuffer.isView(value) && !(value instanceof DataView)) ||
  (isPlainObject(value) && "shape" in value && ArrayBuffer.isView(value["data"])) ||
  hasDataAndShape(value) ||
  isForeignArray(value);
/** Arrays of other libraries that show their memory: objects with a typed array and a shape. */
const hasDataAndShape = (value: object): value is { data: ArrayLikeData; shape: readonly number[] } =>
  !(value instanceof Tensor) &&
  !(value instanceof Variable) &&
  "data" in value &&
  ArrayBuffer.isView(value.data) &&
  "shape" in value &&
  Array.isArray(value.shape);

function readLeaf(value: unknown, path: string): NDArray | null {
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    throw new TypeError(`\`${path}\` needs at least one axis, that of the samples. Received the number ${value}.`);
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value) ? !isNumeric(value) : !isArrayData(value)) return null;
  let array: NDArray;
  try {
    array = NDArray.from(value as unknown as ArrayLikeData);
  } catch (error) {
    throw new TypeError(`\`${path}\` cannot be read as an array. ${(error as Error).message}`, { cause: error });
  }
  return standardized(array, path);
}
/** Whether nested arrays hold numbers at their beginning, and nothing else beside: then they are one array. */
function isNumeric(value: readonly unknown[]): boolean {
  if (value.some((item) => typeof item === "object" && !Array.isArray(item))) return false;
  let first: unknown = value;
  while (Array.isArray(first)) first = first[0];
  return typeof first === "number" || typeof first === "boolean" || typeof first === "bigint" || first === undefined;
}

/** Half-precision floats and 64-bit integers become what tensors hold; float64 is converted batch by batch. */
function standardized(array: NDArray, path: string): NDArray {
  if (array.ndim === 0) throw new TypeError(`\`${path}\` needs at least one axis, that of the samples.`);
  const { dtype } = array;
  const floats = isFloat(dtype) && dtype !== "float64" && dtype !== floatx();
  const target = floats ? floatx() : dtype === "int64" ? "int32" : dtype === "uint64" ? "uint32" : dtype;
  return (target === "float64" ? array : array.astype(target)).contiguous();
}

/** The place of an array that is still being read from the engine. */
class Slot {
  array: NDArray | null = null;
}
/** Puts the arrays in the places of the slots that waited for them. */
function settled(tree: unknown): unknown {
  if (tree instanceof Slot) return tree.array;
  if (Array.isArray(tree)) return tree.map(settled);
  if (tree === null || tree instanceof NDArray) return tree;
  return Object.fromEntries(Object.entries(tree as Record<string, unknown>).map(([key, item]) => [key, settled(item)]));
}
