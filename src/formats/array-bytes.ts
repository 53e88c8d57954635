import { dtypeBytes } from "../core/dtype.js";
import type { DType, Shape } from "../core/dtype.js";
import { NDArray, viewAs } from "../core/ndarray.js";

/** The elements of `array` in row-major order as little-endian bytes: a view of its memory when it is contiguous, else of a copy. */
export function bytesOfArray(array: NDArray): Uint8Array {
  const { data } = array.contiguous();
  return new Uint8Array(data.buffer, data.byteOffset, array.size * dtypeBytes(array.dtype));
}

/** Little-endian `bytes` as an array of `shape`: a view of them when their place in memory suits `dtype`, else a copy. */
export function arrayOfBytes(bytes: Uint8Array, shape: Shape, dtype: DType, strides?: readonly number[]): NDArray {
  // Elements of complex64 are two numbers, at places that suit one.
  const width = dtype === "complex64" ? 4 : dtypeBytes(dtype);
  const aligned = bytes.byteOffset % width === 0 ? bytes : Uint8Array.prototype.slice.call(bytes);
  return new NDArray(viewAs(dtype, aligned), shape, dtype, strides);
}

/** A copy of `bytes` with the order of bytes turned round in every group of `width`. */
export function swapByteOrder(bytes: Uint8Array, width: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let at = 0; at + width <= bytes.length; at += width) {
    for (let i = 0; i < width; i++) out[at + i] = bytes[at + width - 1 - i]!;
  }
  return out;
}
