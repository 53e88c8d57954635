import { dtypeBytes } from "../core/dtype.js";
import type { DType, Shape } from "../core/dtype.js";
import { NDArray } from "../core/ndarray.js";
import type { TypedArray } from "../core/ndarray.js";

type View = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => TypedArray;

const views = {
  bool: Uint8Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  complex64: Float32Array,
  float8_e4m3fn: Uint8Array,
  float8_e5m2: Uint8Array,
} as const satisfies Record<DType, View>;

/** The elements of `array` in row-major order as little-endian bytes: a view of its memory when it is contiguous, else of a copy. */
export function bytesOfArray(array: NDArray): Uint8Array {
  const { data } = array.contiguous();
  return new Uint8Array(data.buffer, data.byteOffset, array.size * dtypeBytes(array.dtype));
}

/** Little-endian `bytes` as an array of `shape`: a view of them when their place in memory suits `dtype`, else a copy. */
export function arrayOfBytes(bytes: Uint8Array, shape: Shape, dtype: DType, strides?: readonly number[]): NDArray {
  const view: View = views[dtype];
  const width = views[dtype].BYTES_PER_ELEMENT;
  const aligned = bytes.byteOffset % width === 0 ? bytes : Uint8Array.prototype.slice.call(bytes);
  const data = new view(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / width));
  return new NDArray(data, shape, dtype, strides);
}

/** A copy of `bytes` with the order of bytes turned round in every group of `width`. */
export function swapByteOrder(bytes: Uint8Array, width: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let at = 0; at + width <= bytes.length; at += width) {
    for (let i = 0; i < width; i++) out[at + i] = bytes[at + width - 1 - i]!;
  }
  return out;
}
