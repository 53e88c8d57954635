import { type DType, integerBounds, isFloat, isUnsigned } from "../../core/dtype.js";
import type { OutOfRange } from "../../primitives/indexing.js";
import { type Bits, bitsOf } from "./strided.js";
import { scalarArray } from "./scalar.js";

/** The lowest signed or highest unsigned integer; true. */
const missing = (dtype: DType): number => (dtype === "bool" ? 1 : integerBounds[dtype]![isUnsigned(dtype) ? 1 : 0]);

/** The bits read in place of an element outside: NaN, the lowest signed or highest unsigned integer, true; or zero. */
export function fillBits(dtype: DType, mode: OutOfRange): Bits {
  const value = mode !== "fill" ? 0 : isFloat(dtype) || dtype === "complex64" ? NaN : missing(dtype);
  return bitsOf(scalarArray(value, dtype).data);
}
