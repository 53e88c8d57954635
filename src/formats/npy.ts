import type { DType, Shape } from "../core/dtype.js";
import { dtypeBytes } from "../core/dtype.js";
import { NDArray, rowMajorStrides, sizeOf } from "../core/ndarray.js";
import { arrayOfBytes, bytesOfArray, swapByteOrder } from "./array-bytes.js";
import { ByteReader } from "./byte-reader.js";
import { ByteWriter } from "./byte-writer.js";
import { FormatError } from "./format-error.js";

const magic = "\x93NUMPY";
/** The elements begin at a multiple of this. */
const alignment = 64;

/** NumPy's code of every dtype; those NumPy does not have itself are written as `np.save` writes ml_dtypes. */
const codes = {
  bool: "|b1",
  uint8: "|u1",
  uint16: "<u2",
  uint32: "<u4",
  uint64: "<u8",
  int8: "|i1",
  int16: "<i2",
  int32: "<i4",
  int64: "<i8",
  float16: "<f2",
  bfloat16: "<V2",
  float32: "<f4",
  float64: "<f8",
  complex64: "<c8",
  float8_e4m3fn: "<V1",
  float8_e5m2: "<f1",
} as const satisfies Record<DType, string>;

const dtypeOfCode: ReadonlyMap<string, DType> = new Map(
  (Object.entries(codes) as [DType, string][]).map(([dtype, code]) => [code.slice(1), dtype]),
);

/** What stands in front of the elements of an npy file. */
interface NpyHeader {
  readonly order: string;
  /** Kind and size of an element, such as "f4". */
  readonly code: string;
  readonly fortran: boolean;
  readonly shape: Shape;
}

/**
 * Array of an npy file (versions 1 to 3), in place where its bytes are aligned; column-major files give a strided array, and
 * complex128, which has no dtype here, is narrowed to complex64.
 * `source` names the file in errors. Throws a FormatError for damaged files and for elements without a dtype here: structures,
 * text (see `readNpyStrings`) and Python objects.
 */
export function readNpy(bytes: Uint8Array, source = "npy file"): NDArray {
  const reader = new ByteReader(bytes, source);
  const { order, code, fortran, shape } = readHeader(reader);
  const dtype = code === "c16" ? "complex64" : dtypeOfCode.get(code);
  if (!dtype) throw new FormatError(source, `holds ${describe(code)}. Expected numbers or booleans`);
  const width = code === "c16" ? 16 : dtypeBytes(dtype);
  const data = takeElements(reader, shape, width);
  const little = order === ">" ? swapByteOrder(data, dtype === "complex64" ? width / 2 : width) : data;
  const strides = fortran ? rowMajorStrides([...shape].reverse()).reverse() : undefined;
  if (code === "c16") return new NDArray(Float32Array.from(numbersOf(little)), shape, dtype, strides);
  const clean = dtype === "bool" && little.some((v) => v > 1) ? little.map((v) => (v ? 1 : 0)) : little;
  return arrayOfBytes(clean, shape, dtype, strides);
}

/** Text of an npy file ("<U5" or "|S5"), in row-major order, with its shape. Throws a FormatError for anything else. */
export function readNpyStrings(bytes: Uint8Array, source = "npy file"): { data: string[]; shape: Shape } {
  const reader = new ByteReader(bytes, source);
  const { order, code, fortran, shape } = readHeader(reader);
  const [, kind, length] = /^([US])(\d+)$/.exec(code) ?? [];
  if (!kind) throw new FormatError(source, `holds ${describe(code)}. Expected text`);
  if (fortran && shape.length > 1)
    throw new FormatError(source, "holds text in column-major order, which is not supported");
  const width = Number(length) * (kind === "U" ? 4 : 1);
  const count = sizeOf(shape);
  if (width === 0 && count > bytes.length) throw new FormatError(source, `declares ${count} empty texts`);
  const data = takeElements(reader, shape, width);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const decodeAt = (at: number): string => {
    if (kind === "S") return new TextDecoder().decode(data.subarray(at, at + width)).replace(/\0+$/, "");
    let text = "";
    for (let i = at; i < at + width; i += 4) {
      const point = view.getUint32(i, order !== ">");
      if (point > 0x10ffff) throw new FormatError(source, `holds a character ${point}, which Unicode does not have`);
      text += String.fromCodePoint(point);
    }
    return text.replace(/\0+$/, "");
  };
  return { data: Array.from({ length: count }, (_, i) => decodeAt(i * width)), shape };
}

/** An npy file as chunks; the array's memory is passed through as a view when it is contiguous in row- or column-major order. */
export function writeNpy(array: NDArray): Uint8Array[] {
  const { shape, dtype } = array;
  const columns = array.isContiguous ? null : columnMajorView(array);
  const dims = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const header = `{'descr': '${codes[dtype]}', 'fortran_order': ${columns ? "True" : "False"}, 'shape': ${dims}, }`;
  const prefix = 10;
  const length = header.length + 1 + (-(prefix + header.length + 1) & (alignment - 1));
  const head = new ByteWriter(prefix + length)
    .u8(...[...magic].map((c) => c.charCodeAt(0)), 1, 0)
    .u16(length)
    .text(`${header.padEnd(length - 1)}\n`);
  return [head.done(), bytesOfArray(columns ?? array)];
}

/** The array with its axes turned round, when that makes it contiguous. */
function columnMajorView(array: NDArray): NDArray | null {
  const turned = new NDArray(
    array.data,
    [...array.shape].reverse(),
    array.dtype,
    [...array.strides].reverse(),
    array.offset,
  );
  return turned.isContiguous ? turned : null;
}

function readHeader(reader: ByteReader): NpyHeader {
  reader.expect(magic, "npy array");
  const version = reader.u8();
  reader.skip(1);
  if (version < 1 || version > 3) throw reader.error(`has npy version ${version}. Expected 1 to 3`);
  const text = new TextDecoder(version === 3 ? "utf-8" : "latin1").decode(
    reader.take(version === 1 ? reader.u16() : reader.u32()),
  );
  const order = /'descr'\s*:\s*'([<>|=]?)([A-Za-z]\d*)'/.exec(text);
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(text);
  const shape = /'shape'\s*:\s*\(([\d\sL,]*)\)/.exec(text);
  if (!order || !fortran || !shape) {
    const plain = !/'descr'\s*:\s*\[/.test(text);
    throw reader.error(plain ? "has a damaged npy header" : "holds structures. Expected numbers or booleans");
  }
  const dims = shape[1]!.split(",").filter((dim) => dim.trim() !== "");
  return {
    order: order[1]!,
    code: order[2]!,
    fortran: fortran[1] === "True",
    shape: dims.map((dim) => parseInt(dim, 10)),
  };
}

const numbersOf = (bytes: Uint8Array): ArrayLike<number> =>
  arrayOfBytes(bytes, [bytes.length / 8], "float64").data as Float64Array;

function takeElements(reader: ByteReader, shape: Shape, width: number): Uint8Array {
  const size = sizeOf(shape) * width;
  if (!(size <= reader.remaining))
    throw reader.error(`declares ${size} bytes of elements but holds ${reader.remaining}`);
  return reader.take(size);
}

function describe(code: string): string {
  if (code.startsWith("O")) return "Python objects (a pickle), which are never loaded";
  if (/^[US]/.test(code)) return `text ("${code}")`;
  return `elements of NumPy's type "${code}"`;
}
