import { type DType, isFloat } from "../../core/dtype.js";
import type { OutOfRange } from "../../primitives/indexing.js";
import { type Bits, bitsOf } from "./strided.js";
import { scalarArray } from "./scalar.js";

const missing: Partial<Record<DType, number>> = {
  bool: 1,
  uint8: 255,
  uint16: 65535,
  uint32: 4294967295,
  int8: -128,
  int16: -32768,
  int32: -2147483648,
};

/** The bits read in place of an element outside: NaN, the lowest signed or highest unsigned integer, true; or zero. */
export function fillBits(dtype: DType, mode: OutOfRange): Bits {
  const value = mode !== "fill" ? 0 : isFloat(dtype) || dtype === "complex64" ? NaN : missing[dtype]!;
  return bitsOf(scalarArray(value, dtype).data);
}
