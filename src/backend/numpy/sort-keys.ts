import { dtypeBytes } from "../../core/dtype.js";
import type { NDArray } from "../../core/ndarray.js";
import { laneOf, laneValues } from "./lanes.js";

const SIGN = 0x80000000;
const ABOVE_ALL = 0xffffffff;

/**
 * Uint32 keys in row-major order that compare as the values of `x` do: NaNs are above everything and equal to each
 * other, and zeros of either sign are equal.
 */
export function sortKeys(x: NDArray): Uint32Array {
  const values = laneValues(x);
  switch (laneOf(x.dtype)) {
    case "float":
      return floatKeys(values as Float32Array);
    case "int":
      return Uint32Array.from(values as Int32Array, (v) => v ^ SIGN);
    case "uint":
      return values as Uint32Array;
    default:
      throw new TypeError("Sorting complex64 is not defined on the numpy engine. Sort its real part or its magnitude.");
  }
}

/** Keys in the total order of IEEE 754: -NaN, numbers, -0, 0, numbers, NaN; those of `sortKeys` for integers. */
export function totalOrderKeys(x: NDArray): Uint32Array {
  if (laneOf(x.dtype) !== "float") return sortKeys(x);
  const { data } = x.contiguous();
  const bytes = dtypeBytes(x.dtype);
  // Narrower formats order by their own bits, brought to the top: their decoding forgets the sign of NaN.
  const bits = bytes === 4 ? new Int32Array(data.buffer, data.byteOffset, data.length) : data;
  return Uint32Array.from(bits as Int32Array, (stored) => {
    const b = stored << (32 - 8 * bytes);
    return b < 0 ? ~b : b | SIGN;
  });
}

function floatKeys(values: Float32Array): Uint32Array {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const keys = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const b = bits[i]!;
    if ((b & 0x7fffffff) > 0x7f800000) keys[i] = ABOVE_ALL;
    else if (b === -SIGN) keys[i] = SIGN;
    else keys[i] = b < 0 ? ~b : b | SIGN;
  }
  return keys;
}
