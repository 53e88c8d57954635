import type { DType } from "../../core/dtype.js";
import { bfloat16ToNumber, float16ToNumber, numberToBfloat16, numberToFloat16 } from "../../core/float16.js";
import type { Ref, Torch } from "./torch.js";

/** libtorch's numbers of element types. */
export const scalarType = {
  uint8: 0,
  int8: 1,
  int16: 2,
  int32: 3,
  int64: 4,
  float16: 5,
  float32: 6,
  float64: 7,
  complex64: 9,
  bool: 11,
  bfloat16: 15,
  float8_e5m2: 23,
  float8_e4m3fn: 24,
} as const;

/**
 * What a dtype is stored as. libtorch hardly computes with uint16 and uint32, and older ones lack them, so their bits are stored as
 * signed integers; float8 values as bytes.
 */
const stored: Readonly<Partial<Record<DType, number>>> = {
  ...scalarType,
  uint16: scalarType.int16,
  uint32: scalarType.int32,
  float8_e5m2: scalarType.uint8,
  float8_e4m3fn: scalarType.uint8,
};
/** The scalar type under which `dtype` is stored. Throws for the 64-bit types, which tensors never have. */
export function storedAs(dtype: DType): number {
  const type = stored[dtype];
  if (type === undefined || dtype.endsWith("t64"))
    throw new TypeError(`Tensors of dtype ${dtype} do not exist: 64-bit types shrink to 32 bits.`);
  return type;
}

/** Converts elements as C does. */
export const converted = (torch: Torch, x: Ref, type: number): Ref => torch.call("_to_copy", x, type);

/** Whether the dtype is stored under another meaning of its bits, so that only some ops may be applied to what is stored. */
export const isDisguised = (dtype: DType): boolean => dtype === "uint16" || dtype === "uint32";

/** The type in which integers of `dtype` are divided, compared and shifted: one that holds them and their quotients. */
const wideType = (dtype: DType): number =>
  dtype === "uint32" || dtype === "int32" ? scalarType.int64 : scalarType.int32;

/** Stored integers (or bools) as numbers of `wideType(dtype)`. */
export function widened(torch: Torch, x: Ref, dtype: DType): Ref {
  const wide = converted(torch, x, wideType(dtype));
  if (dtype === "uint16") return torch.call("bitwise_and.Scalar", wide, 0xffff);
  return dtype === "uint32" ? torch.call("bitwise_and.Scalar", wide, 0xffffffff) : wide;
}
/** Wide integers modulo the range of `dtype`, stored. */
export const narrowed = (torch: Torch, x: Ref, dtype: DType): Ref => converted(torch, x, storedAs(dtype));
/** Stored integers in a type with their order: themselves where that may be. */
export const ordered = (torch: Torch, x: Ref, dtype: DType): Ref => (isDisguised(dtype) ? widened(torch, x, dtype) : x);

/** Stored floats of 16 bits as float32; others as they are. */
export const single = (torch: Torch, x: Ref, dtype: DType): Ref =>
  dtype === "float16" || dtype === "bfloat16" ? converted(torch, x, scalarType.float32) : x;
/** Float32 numbers rounded to `dtype`, when that is another. */
export const rounded = (torch: Torch, x: Ref, dtype: DType): Ref =>
  dtype === "float16" || dtype === "bfloat16" ? converted(torch, x, storedAs(dtype)) : x;

/** `value` as the argument that fills stored elements of `dtype` with it; integers wrap around. */
export function fillArgument(value: number, dtype: DType): number | boolean {
  // Attributes read from saved files may be boxed numbers.
  const number = Number(value);
  switch (dtype) {
    case "bool":
      return number !== 0;
    case "uint8":
      return number & 0xff;
    case "int8":
      return (number << 24) >> 24;
    case "int16":
    case "uint16":
      return (number << 16) >> 16;
    case "int32":
    case "uint32":
      return number | 0;
    case "float16":
      return float16ToNumber(numberToFloat16(number));
    case "bfloat16":
      return bfloat16ToNumber(numberToBfloat16(number));
    default:
      // libtorch refuses numbers that the type would have to round to infinity.
      return Math.fround(number);
  }
}
