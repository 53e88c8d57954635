import { isForeignArray } from "../../core/foreign.js";
import { isFloat, type Shape } from "../../core/dtype.js";
import { readNow } from "../../core/host.js";
import { type ArrayLikeData, NDArray } from "../../core/ndarray.js";
import { Tensor } from "../../core/tensor.js";
import { Variable } from "../../core/variable.js";
import { showValue } from "../../utils/show-value.js";

/** A category as data has it. */
export type Category = string | number | bigint | boolean;
/** An array of strings, integers or other plain values; tensors cannot hold strings. */
export type CategoryData = Category | readonly CategoryData[] | NDArray | ArrayLikeData | Tensor | Variable;

/** Categories on the host, in row-major order. */
export interface HostCategories {
  readonly shape: Shape;
  readonly values: readonly Category[];
  /** What the values are; numbers with a fraction make an array of floats. */
  readonly kind: "string" | "int" | "float" | "bool";
}

/**
 * Reads categories from nested arrays, arrays and tensors. Null while only shapes are worked out; throws for ragged or mixed arrays, and
 * in compiled code, which has no values.
 */
export function readCategories(data: unknown, layer: string): HostCategories | null {
  if (data instanceof Variable) return readCategories(data.value, layer);
  if (data instanceof Tensor) {
    const array = readNow(data, `Layer "${layer}"`);
    return array && ofArray(array);
  }
  if (isForeignArray(data) && data.dtype === "string")
    return { shape: data.shape, values: [...(data.dataSync() as readonly string[])], kind: "string" };
  const shape: number[] = [];
  let first = data;
  while (Array.isArray(first)) {
    shape.push(first.length);
    first = first[0];
  }
  if (typeof first !== "string") return ofArray(NDArray.from(data as ArrayLikeData));
  const values: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (depth === shape.length && typeof value === "string") values.push(value);
    else if (Array.isArray(value) && value.length === shape[depth]) for (const item of value) collect(item, depth + 1);
    else
      throw new TypeError(
        `Layer "${layer}" takes arrays of strings only or of integers only, without gaps. Received: ${showValue(data)}.`,
      );
  };
  collect(data, 0);
  return { shape, values, kind: "string" };
}

function ofArray(array: NDArray): HostCategories {
  const { dtype, shape } = array;
  const { data } = array.contiguous();
  if (dtype === "bool") return { shape, values: Array.from(array.numbers(), Boolean), kind: "bool" };
  const wide = data instanceof BigInt64Array || data instanceof BigUint64Array;
  return { shape, values: [...(wide ? data : array.numbers())], kind: isFloat(dtype) ? "float" : "int" };
}
