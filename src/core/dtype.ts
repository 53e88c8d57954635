/** Data types: their storage, their kinds, and how they promote. */

interface DTypeInfo {
  readonly kind: "bool" | "uint" | "int" | "float" | "complex";
  /** Bytes of one element. */
  readonly bytes: number;
}

const table = {
  bool: { kind: "bool", bytes: 1 },
  uint8: { kind: "uint", bytes: 1 },
  uint16: { kind: "uint", bytes: 2 },
  uint32: { kind: "uint", bytes: 4 },
  uint64: { kind: "uint", bytes: 8 },
  int8: { kind: "int", bytes: 1 },
  int16: { kind: "int", bytes: 2 },
  int32: { kind: "int", bytes: 4 },
  int64: { kind: "int", bytes: 8 },
  float16: { kind: "float", bytes: 2 },
  bfloat16: { kind: "float", bytes: 2 },
  float32: { kind: "float", bytes: 4 },
  float64: { kind: "float", bytes: 8 },
  complex64: { kind: "complex", bytes: 8 },
  float8_e4m3fn: { kind: "float", bytes: 1 },
  float8_e5m2: { kind: "float", bytes: 1 },
} as const satisfies Record<string, DTypeInfo>;

/** Name of an element type, spelled as Python Keras spells it. */
export type DType = keyof typeof table;
/** Size of every axis. */
export type Shape = readonly number[];
/** Shape and dtype of a tensor that is known without its values. */
export interface TensorSpec {
  readonly shape: Shape;
  readonly dtype: DType;
}

export const dtypes = Object.keys(table) as readonly DType[];

export const isDType = (name: unknown): name is DType => typeof name === "string" && Object.hasOwn(table, name);
export const dtypeBytes = (dtype: DType): number => table[dtype].bytes;
export const isFloat = (dtype: DType): boolean => table[dtype].kind === "float";
export const isComplex = (dtype: DType): boolean => table[dtype].kind === "complex";
export const isUnsigned = (dtype: DType): boolean => table[dtype].kind === "uint";
/** Whether `dtype` is a signed or unsigned integer; bool is not. */
export const isInteger = (dtype: DType): boolean => table[dtype].kind === "int" || table[dtype].kind === "uint";
/** Whether gradients flow through values of `dtype`. */
export const isDifferentiable = (dtype: DType): boolean => isFloat(dtype) || isComplex(dtype);

/** The least and the greatest value of each integer type of at most 32 bits. */
export const integerBounds: Readonly<Partial<Record<DType, readonly [lowest: number, highest: number]>>> = {
  uint8: [0, 255],
  uint16: [0, 65535],
  uint32: [0, 4294967295],
  int8: [-128, 127],
  int16: [-32768, 32767],
  int32: [-2147483648, 2147483647],
};

const narrowed: Partial<Record<DType, DType>> = { int64: "int32", uint64: "uint32", float64: "float32" };
/** The type tensors use in place of a 64-bit `dtype`: engines compute in at most 32 bits, as JAX does by default. */
export const shrink = (dtype: DType): DType => narrowed[dtype] ?? dtype;

/** Canonical dtype for what users may write: a dtype name, "int", "float", or null for `fallback`. Throws on anything else. */
export function standardizeDType(dtype: string | null | undefined, fallback: DType): DType {
  if (dtype === null || dtype === undefined) return fallback;
  if (isDType(dtype)) return dtype;
  if (dtype === "int") return "int32";
  if (dtype === "float") return "float32";
  throw new TypeError(`Invalid dtype: ${JSON.stringify(dtype)}. Expected one of: ${dtypes.join(", ")}.`);
}
