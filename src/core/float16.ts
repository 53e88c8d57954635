/** Bit-exact conversions of float16, bfloat16 and the two float8 formats, all rounding to nearest, ties to even. */
import { makeMiniFloat } from "./mini-float.js";

const float16 = makeMiniFloat(
  { exponentBits: 5, mantissaBits: 10, maxFinite: 0x7bff, overflow: 0x7c00, nan: 0x7e00 },
  (length) => new Uint16Array(length),
);

const bfloat16 = makeMiniFloat(
  { exponentBits: 8, mantissaBits: 7, maxFinite: 0x7f7f, overflow: 0x7f80, nan: 0x7fc0 },
  (length) => new Uint16Array(length),
);

/** Without infinities (OCP 8-bit floating point specification): magnitudes that round above 448 become NaN. */
const float8E4M3 = makeMiniFloat(
  { exponentBits: 4, mantissaBits: 3, maxFinite: 0x7e, overflow: 0x7f, nan: 0x7f },
  (length) => new Uint8Array(length),
);

const float8E5M2 = makeMiniFloat(
  { exponentBits: 5, mantissaBits: 2, maxFinite: 0x7b, overflow: 0x7c, nan: 0x7e },
  (length) => new Uint8Array(length),
);

/** The number that a float16 bit pattern stands for. */
export const float16ToNumber = float16.toNumber;
/** The float16 bit pattern nearest to a number; beyond 65504 by half a unit or more it is infinity. */
export const numberToFloat16 = float16.fromNumber;
/** Numbers of float16 bit patterns, into `out` when given. */
export const decodeFloat16 = float16.decode;
/** Float16 bit patterns of numbers, into `out` when given. */
export const encodeFloat16 = float16.encode;

/** The number that a bfloat16 bit pattern stands for. */
export const bfloat16ToNumber = bfloat16.toNumber;
/** The bfloat16 bit pattern nearest to a number. */
export const numberToBfloat16 = bfloat16.fromNumber;
/** Numbers of bfloat16 bit patterns, into `out` when given. */
export const decodeBfloat16 = bfloat16.decode;
/** Bfloat16 bit patterns of numbers, into `out` when given. */
export const encodeBfloat16 = bfloat16.encode;

/** The number that a float8_e4m3fn bit pattern stands for. */
export const float8E4M3ToNumber = float8E4M3.toNumber;
/** The float8_e4m3fn bit pattern nearest to a number; NaN for infinities and magnitudes that round above 448. */
export const numberToFloat8E4M3 = float8E4M3.fromNumber;
/** Numbers of float8_e4m3fn bit patterns, into `out` when given. */
export const decodeFloat8E4M3 = float8E4M3.decode;
/** Float8_e4m3fn bit patterns of numbers, into `out` when given. */
export const encodeFloat8E4M3 = float8E4M3.encode;

/** The number that a float8_e5m2 bit pattern stands for. */
export const float8E5M2ToNumber = float8E5M2.toNumber;
/** The float8_e5m2 bit pattern nearest to a number; infinity for magnitudes that round above 57344. */
export const numberToFloat8E5M2 = float8E5M2.fromNumber;
/** Numbers of float8_e5m2 bit patterns, into `out` when given. */
export const decodeFloat8E5M2 = float8E5M2.decode;
/** Float8_e5m2 bit patterns of numbers, into `out` when given. */
export const encodeFloat8E5M2 = float8E5M2.encode;
