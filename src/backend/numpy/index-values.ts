import type { NDArray } from "../../core/ndarray.js";
import { castArray } from "./cast.js";

/** Integer indices in row-major order; read only. */
export function indexValues(x: NDArray): Int32Array {
  return castArray(x, "int32").contiguous().data as Int32Array;
}
