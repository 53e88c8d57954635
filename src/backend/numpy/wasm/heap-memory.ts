import type { DType } from "../../../core/dtype.js";

/** Typed arrays a heap view may be. */
export type HeapView =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** A WebAssembly memory that kernels work on, and the allocator that parcels it out. */
export abstract class HeapMemory {
  /** Reserves at least `bytes` bytes; contents are whatever was there. Throws RangeError when the memory cannot grow any further. */
  abstract malloc(bytes: number): number;
  /** Gives back what `malloc` returned; throws on any other pointer. */
  abstract free(ptr: number): void;
  /** Bytes handed out and not freed. */
  abstract get bytesInUse(): number;
  /** Number of live allocations. */
  abstract get allocations(): number;
  /** The current buffer; another object after growth, though a shared memory's old views stay valid. */
  abstract get buffer(): ArrayBufferLike;

  /** `length` elements at `ptr` as the typed array that stores `dtype` (float16 and bfloat16 as bit patterns, complex64 as pairs). */
  view(ptr: number, dtype: "float32", length: number): Float32Array;
  view(ptr: number, dtype: "int32", length: number): Int32Array;
  view(ptr: number, dtype: "bool" | "uint8", length: number): Uint8Array;
  view(ptr: number, dtype: DType, length: number): HeapView;
  view(ptr: number, dtype: DType, length: number): HeapView {
    const { buffer } = this;
    switch (dtype) {
      case "bool":
      case "uint8":
      case "float8_e4m3fn":
      case "float8_e5m2":
        return new Uint8Array(buffer, ptr, length);
      case "int8":
        return new Int8Array(buffer, ptr, length);
      case "uint16":
      case "float16":
      case "bfloat16":
        return new Uint16Array(buffer, ptr, length);
      case "int16":
        return new Int16Array(buffer, ptr, length);
      case "uint32":
        return new Uint32Array(buffer, ptr, length);
      case "int32":
        return new Int32Array(buffer, ptr, length);
      case "float32":
        return new Float32Array(buffer, ptr, length);
      case "complex64":
        return new Float32Array(buffer, ptr, 2 * length);
      case "float64":
        return new Float64Array(buffer, ptr, length);
      case "int64":
        return new BigInt64Array(buffer, ptr, length);
      case "uint64":
        return new BigUint64Array(buffer, ptr, length);
    }
  }
}
