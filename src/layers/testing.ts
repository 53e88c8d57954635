import { sizeOf } from "../core/ndarray.js";
import { tensor, type Tensor } from "../core/tensor.js";

/** Numbers that look random, between -1 and 1. */
export function values(shape: readonly number[], seed = 1): Tensor {
  const data = Float32Array.from({ length: sizeOf(shape) }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233));
  return tensor({ data, shape: [...shape] });
}
/** The elements of a tensor, in order. */
export const elements = async (x: Tensor): Promise<number[]> => [...(await x.data()).numbers()];
