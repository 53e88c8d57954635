import type { NDArray } from "../../core/ndarray.js";
import { laneOf, laneValues } from "./lanes.js";

/**
 * Uint32 keys in row-major order that compare as the values of `x` do: NaNs are above everything and equal to each
 * other; zeros are equal, unless `total` asks for -0 below 0.
 */
export function sortKeys(x: NDArray, total = false): Uint32Array {
  const values = laneValues(x);
  switch (laneOf(x.dtype)) {
    case "float":
      return floatKeys(values as Float32Array, total);
    case "int":
      return Uint32Array.from(values as Int32Array, (v) => v ^ 0x80000000);
    case "uint":
      return values as Uint32Array;
    default:
      throw new TypeError("Sorting complex64 is not defined on the numpy engine. Sort its real part or its magnitude.");
  }
}

function floatKeys(values: Float32Array, total: boolean): Uint32Array {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const keys = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const b = bits[i]!;
    if ((b & 0x7fffffff) > 0x7f800000) keys[i] = 0xffffffff;
    else if (b === -0x80000000 && !total) keys[i] = 0x80000000;
    else keys[i] = b < 0 ? ~b : b | 0x80000000;
  }
  return keys;
}
