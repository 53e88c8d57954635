import type { DType, Shape } from "../../core/dtype.js";
import { NDArray } from "../../core/ndarray.js";
import { bytesOfArray } from "../array-bytes.js";
import { ByteWriter } from "../byte-writer.js";
import { FixedStrings } from "./h5-tree.js";
import type { H5AttributeInput } from "./h5-tree.js";
import type { HeapWriter } from "./heap-writer.js";

/** A value as HDF5 stores it: encoded type and extent, and its bytes, which may be known only once the heap has its place. */
export interface EncodedValue {
  readonly datatype: Uint8Array;
  readonly dataspace: Uint8Array;
  readonly size: number;
  bytes(): Uint8Array;
}

/** Encodes the value of a dataset or attribute; strings of variable length go into `heap`. */
export function encodeValue(value: H5AttributeInput, heap: HeapWriter): EncodedValue {
  if (value instanceof NDArray) {
    const { shape, dtype } = value;
    const bytes = bytesOfArray(value);
    return {
      datatype: encodeDatatype(dtype),
      dataspace: encodeDataspace(shape),
      size: bytes.length,
      bytes: () => bytes,
    };
  }
  if (value instanceof FixedStrings) return encodeFixed(value.value);
  switch (typeof value) {
    case "boolean":
      return encodeValue(new NDArray(Uint8Array.of(value ? 1 : 0), [], "bool"), heap);
    case "bigint":
      return encodeValue(new NDArray(BigInt64Array.of(value), [], "int64"), heap);
    case "number":
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) return encodeValue(BigInt(value), heap);
      return encodeValue(new NDArray(Float64Array.of(value), [], "float64"), heap);
    case "string":
      return encodeVariable([value], [], heap);
    default:
      return encodeVariable(value, [value.length], heap);
  }
}

function encodeVariable(texts: readonly string[], shape: Shape, heap: HeapWriter): EncodedValue {
  const references = texts.map((text) => heap.add(text));
  return {
    datatype: new ByteWriter(24).u8(0x19, 0x01, 0x01, 0).u32(16).bytes(integer(1, false)).done(),
    dataspace: encodeDataspace(shape),
    size: 16 * texts.length,
    bytes() {
      const writer = new ByteWriter(16 * texts.length);
      for (const reference of references) {
        const { length, address, index } = heap.locate(reference);
        writer.u32(length).u64(address).u32(index);
      }
      return writer.done();
    },
  };
}

/** Fields as long as the longest text, filled up with NUL. */
function encodeFixed(value: string | readonly string[]): EncodedValue {
  const texts = typeof value === "string" ? [value] : value;
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const width = encoded.reduce((longest, text) => Math.max(longest, text.length), 1);
  const isAscii = encoded.every((text, i) => text.length === texts[i]!.length);
  const bytes = new Uint8Array(width * texts.length);
  encoded.forEach((text, i) => bytes.set(text, i * width));
  return {
    datatype: new ByteWriter(8)
      .u8(0x13, isAscii ? 0x01 : 0x11, 0, 0)
      .u32(width)
      .done(),
    dataspace: encodeDataspace(typeof value === "string" ? [] : [texts.length]),
    size: bytes.length,
    bytes: () => bytes,
  };
}

/** Dataspace message, version 2. */
function encodeDataspace(shape: Shape): Uint8Array {
  const writer = new ByteWriter(4 + 8 * shape.length).u8(2, shape.length, 0, shape.length > 0 ? 1 : 0);
  for (const dim of shape) writer.u64(dim);
  return writer.done();
}

/** Size, bits of exponent and mantissa, and exponent bias of the floats HDF5 knows. */
const floats = {
  float16: [2, 5, 10, 15],
  float32: [4, 8, 23, 127],
  float64: [8, 11, 52, 1023],
} as const;

/** Datatype message as h5py writes it: bool an enumeration, complex64 a compound, bfloat16 and float8 opaque. */
function encodeDatatype(dtype: DType): Uint8Array {
  switch (dtype) {
    case "bool":
      return new ByteWriter()
        .u8(0x18, 2, 0, 0)
        .u32(1)
        .bytes(integer(1, true))
        .text("FALSE\0\0\0TRUE\0\0\0\0")
        .u8(0, 1)
        .done();
    case "complex64":
      return new ByteWriter()
        .u8(0x36, 2, 0, 0)
        .u32(8)
        .text("r\0")
        .u8(0)
        .bytes(float("float32"))
        .text("i\0")
        .u8(4)
        .bytes(float("float32"))
        .done();
    case "bfloat16":
      return opaque(2);
    case "float8_e4m3fn":
    case "float8_e5m2":
      return opaque(1);
    case "float16":
    case "float32":
    case "float64":
      return float(dtype);
    default: {
      const signed = dtype.startsWith("int");
      return integer(Number(dtype.replace(/\D+/, "")) / 8, signed);
    }
  }
}

/** Whether elements of `dtype` are opaque to HDF5, so that an attribute `dtype` has to name them. */
export const isOpaque = (dtype: DType): boolean => dtype === "bfloat16" || dtype.startsWith("float8");

const opaque = (size: number): Uint8Array => new ByteWriter(8).u8(0x15, 0, 0, 0).u32(size).done();

const integer = (size: number, signed: boolean): Uint8Array =>
  new ByteWriter(12)
    .u8(0x10, signed ? 8 : 0, 0, 0)
    .u32(size)
    .u16(0)
    .u16(8 * size)
    .done();

function float(dtype: keyof typeof floats): Uint8Array {
  const [size, exponent, mantissa, bias] = floats[dtype];
  const bits = 8 * size;
  return new ByteWriter(20)
    .u8(0x11, 0x20, bits - 1, 0)
    .u32(size)
    .u16(0)
    .u16(bits)
    .u8(mantissa, exponent, 0, mantissa)
    .u32(bias)
    .done();
}
