import type { DType } from "../../core/dtype.js";
import * as narrow from "../../core/float16.js";
import { allocate, NDArray, type TypedArray } from "../../core/ndarray.js";
import { dense } from "./strided-copy.js";

/** The four kinds of numbers that loops compute with; other dtypes are widened to one of them block by block. */
export interface Lanes {
  float: Float32Array;
  int: Int32Array;
  uint: Uint32Array;
  /** Pairs of real and imaginary parts. */
  complex: Float32Array;
}
export type LaneName = keyof Lanes;
export type Lane = Lanes[LaneName];

/** How a dtype's storage becomes a lane and back; without `decode` and `encode` the storage is the lane. */
export interface Codec {
  readonly lane: LaneName;
  readonly decode?: (stored: TypedArray, lane: Lane) => void;
  readonly encode?: (lane: Lane, stored: TypedArray) => void;
}

function narrowFloat<B extends Uint16Array | Uint8Array>(
  decode: (bits: B, out: Float32Array) => unknown,
  encode: (values: Float32Array, out: B) => unknown,
): Codec {
  return {
    lane: "float",
    decode: (stored, lane) => void decode(stored as B, lane as Float32Array),
    encode: (lane, stored) => void encode(lane as Float32Array, stored as B),
  };
}
// Conversion to a narrower integer type is modulo its range, which is how sums and products wrap.
const convert = (from: TypedArray, to: TypedArray): void => (to as Int32Array).set(from as Int32Array);
const narrowUint: Codec = { lane: "int", decode: convert, encode: convert };
/** Signed types may come as plain bits, so decoding extends the sign. */
const narrowInt = (unused: 16 | 24): Codec => ({
  lane: "int",
  decode(stored, lane) {
    for (let i = 0; i < lane.length; i++) lane[i] = ((stored[i] as number) << unused) >> unused;
  },
  encode: convert,
});

const codecs: Partial<Record<DType, Codec>> = {
  bool: {
    lane: "int",
    decode: convert,
    encode: (lane, stored) => {
      for (let i = 0; i < lane.length; i++) stored[i] = lane[i] === 0 ? 0 : 1;
    },
  },
  uint8: narrowUint,
  uint16: narrowUint,
  int8: narrowInt(24),
  int16: narrowInt(16),
  uint32: { lane: "uint" },
  int32: { lane: "int" },
  float32: { lane: "float" },
  complex64: { lane: "complex" },
  float16: narrowFloat(narrow.decodeFloat16, narrow.encodeFloat16),
  bfloat16: narrowFloat(narrow.decodeBfloat16, narrow.encodeBfloat16),
  float8_e4m3fn: narrowFloat(narrow.decodeFloat8E4M3, narrow.encodeFloat8E4M3),
  float8_e5m2: narrowFloat(narrow.decodeFloat8E5M2, narrow.encodeFloat8E5M2),
};

/** The codec of a dtype; throws for 64-bit ones, which tensors never hold. */
export function codecOf(dtype: DType): Codec {
  const codec = codecs[dtype];
  if (!codec) throw new TypeError(`The numpy engine computes in at most 32 bits. Cast the ${dtype} array first.`);
  return codec;
}

/** The lane that arithmetic on a dtype happens in. */
export const laneOf = (dtype: DType): LaneName => codecOf(dtype).lane;

const laneArrays = { float: Float32Array, int: Int32Array, uint: Uint32Array, complex: Float32Array } as const;
const laneDTypes = { float: "float32", int: "int32", uint: "uint32", complex: "complex64" } as const;

/** An array with the values of `x` in its lane's dtype; `x` itself when it is already so. Strides may be any. */
export function widened(x: NDArray): NDArray {
  const { lane, decode } = codecOf(x.dtype);
  if (!decode) return x;
  const source = dense(x);
  const out = new laneArrays[lane](source.size);
  decode(source.data.subarray(source.offset, source.offset + source.size), out);
  return new NDArray(out, x.shape, laneDTypes[lane]);
}

/** The array of dtype `dtype` whose values `lane` holds in row-major order; takes `lane` over where it can. */
export function narrowed(lane: Lane, shape: readonly number[], dtype: DType): NDArray {
  const { encode } = codecOf(dtype);
  if (!encode) return new NDArray(lane, shape, dtype);
  const out = allocate(dtype, lane.length);
  encode(lane, out);
  return new NDArray(out, shape, dtype);
}

/** The values of `x` in row-major order as a dense lane; shares memory with `x` where it can. */
export function laneValues(x: NDArray): Lane {
  const wide = widened(x).contiguous();
  return wide.data as Lane;
}
