import { type DType, isFloat } from "../../core/dtype.js";
import { NDArray } from "../../core/ndarray.js";
import { castArray } from "./cast.js";

/** A 0-d array of a JavaScript number: integers wrap around, as a constant does in an engine of that width. */
export function scalarArray(value: number, dtype: DType): NDArray {
  const out = NDArray.zeros([], dtype);
  if (dtype === "float32" || dtype === "complex64" || dtype.includes("int")) {
    out.data[0] = value;
    return out;
  }
  if (isFloat(dtype)) return NDArray.from(value, dtype);
  return castArray(NDArray.from(value, "float32"), dtype);
}
