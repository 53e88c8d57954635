import type { DType } from "../../core/dtype.js";
import type { H5Cursor } from "./h5-file.js";

/** Type of the elements of a dataset or attribute; `size` in bytes. */
export type H5Type =
  | { readonly kind: "number"; readonly size: number; readonly dtype: DType; readonly bigEndian: boolean }
  | { readonly kind: "fixed-string"; readonly size: number; readonly spacePadded: boolean }
  | { readonly kind: "string"; readonly size: number }
  | { readonly kind: "opaque"; readonly size: number }
  | { readonly kind: "unsupported"; readonly size: number; readonly what: string };

interface Fields {
  readonly version: number;
  readonly bits: number;
  readonly size: number;
}

const maxNesting = 16;

/** Reads a datatype message; types that have no counterpart come back as "unsupported" and fail only when their values are read. */
export function readDatatype(cursor: H5Cursor, depth = 0): H5Type {
  const first = cursor.u8();
  const fields = { version: first >> 4, bits: cursor.uint(3), size: cursor.u32() };
  if (fields.version < 1 || fields.version > 5)
    throw cursor.error(`a datatype has version ${fields.version}. Expected 1 to 5`);
  if (fields.size === 0) throw cursor.error("a datatype has size 0");
  if (depth > maxNesting) throw cursor.error("datatypes are nested too deep");
  switch (first & 15) {
    case 0:
      return readInteger(cursor, fields);
    case 1:
      return readFloat(cursor, fields);
    case 3:
      return { kind: "fixed-string", size: fields.size, spacePadded: (fields.bits & 15) === 2 };
    case 5:
      return { kind: "opaque", size: fields.size };
    case 6:
      return readCompound(cursor, fields, depth);
    case 8:
      return readEnum(cursor, fields, depth);
    case 9:
      if ((fields.bits & 15) === 1) return { kind: "string", size: fields.size };
      return { kind: "unsupported", size: fields.size, what: "a sequence of variable length" };
    case 11:
      return readComplex(cursor, fields, depth);
    default:
      return { kind: "unsupported", size: fields.size, what: otherClasses[first & 15] ?? `class ${first & 15}` };
  }
}

const otherClasses: Readonly<Record<number, string>> = {
  2: "a time",
  4: "a bit field",
  7: "a reference",
  10: "an array within an element",
};

const integers: Readonly<Record<string, DType>> = {
  u1: "uint8",
  u2: "uint16",
  u4: "uint32",
  u8: "uint64",
  i1: "int8",
  i2: "int16",
  i4: "int32",
  i8: "int64",
};

function readInteger(cursor: H5Cursor, { bits, size }: Fields): H5Type {
  const offset = cursor.u16();
  const precision = cursor.u16();
  const dtype = integers[`${bits & 8 ? "i" : "u"}${size}`];
  if (!dtype || offset !== 0 || precision !== 8 * size) {
    return { kind: "unsupported", size, what: `an integer of ${precision} bits` };
  }
  return { kind: "number", size, dtype, bigEndian: (bits & 1) !== 0 };
}

/** dtype of a float by the bits of its exponent and mantissa. */
const floats: Readonly<Record<string, DType>> = {
  "5,10": "float16",
  "8,7": "bfloat16",
  "8,23": "float32",
  "11,52": "float64",
  "4,3": "float8_e4m3fn",
  "5,2": "float8_e5m2",
};

function readFloat(cursor: H5Cursor, { bits, size }: Fields): H5Type {
  const offset = cursor.u16();
  const precision = cursor.u16();
  const exponentAt = cursor.u8();
  const exponent = cursor.u8();
  const mantissaAt = cursor.u8();
  const mantissa = cursor.u8();
  cursor.skip(4); // bias
  const dtype = floats[`${exponent},${mantissa}`];
  const dense = offset === 0 && precision === 8 * size && mantissaAt === 0 && exponentAt === mantissa;
  if (!dtype || !dense || exponent + mantissa + 1 !== 8 * size || bits & 0x40) {
    return { kind: "unsupported", size, what: `a float of ${precision} bits` };
  }
  return { kind: "number", size, dtype, bigEndian: (bits & 1) !== 0 };
}

/** Only h5py's complex numbers, a pair of floats, have a counterpart. */
function readCompound(cursor: H5Cursor, { version, bits, size }: Fields, depth: number): H5Type {
  const unsupported = { kind: "unsupported", size, what: "a compound" } as const;
  if ((bits & 0xffff) !== 2 || size !== 8) return unsupported;
  const members = ["r", "i"].map((expected, index) => {
    const name = readName(cursor, version < 3);
    const offset = version < 3 ? cursor.u32() : cursor.u8();
    if (version === 1) cursor.skip(28);
    const type = readDatatype(cursor, depth + 1);
    const fits = name === expected && offset === 4 * index && type.kind === "number" && type.dtype === "float32";
    return fits ? type : null;
  });
  const [real, imaginary] = members;
  if (!real || !imaginary || real.bigEndian !== imaginary.bigEndian) return unsupported;
  return { kind: "number", size, dtype: "complex64", bigEndian: real.bigEndian };
}

function readComplex(cursor: H5Cursor, { size }: Fields, depth: number): H5Type {
  const part = readDatatype(cursor, depth + 1);
  if (part.kind === "number" && part.dtype === "float32" && size === 8) return { ...part, size, dtype: "complex64" };
  return { kind: "unsupported", size, what: "a complex number other than complex64" };
}

/** Booleans are an enumeration of FALSE and TRUE in one byte; other enumerations are their integers. */
function readEnum(cursor: H5Cursor, { version, bits, size }: Fields, depth: number): H5Type {
  const base = readDatatype(cursor, depth + 1);
  if (base.kind !== "number" || base.size !== size) return { kind: "unsupported", size, what: "an enumeration" };
  const count = bits & 0xffff;
  if (count !== 2 || size !== 1) return base;
  const names = [readName(cursor, version < 3), readName(cursor, version < 3)];
  const values = [cursor.u8(), cursor.u8()];
  const isBool = names[0] === "FALSE" && names[1] === "TRUE" && values[0] === 0 && values[1] === 1;
  return isBool ? { ...base, dtype: "bool" } : base;
}

/** A name that ends in NUL, in old versions filled up to a multiple of eight bytes. */
function readName(cursor: H5Cursor, padded: boolean): string {
  const from = cursor.position;
  while (cursor.u8() !== 0);
  const name = new TextDecoder().decode(cursor.bytes.subarray(from, cursor.position - 1));
  if (padded) cursor.skip(-(cursor.position - from) & 7);
  return name;
}
