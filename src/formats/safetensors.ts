import { dtypeBytes, type DType, type Shape } from "../core/dtype.js";
import { type NDArray, sizeOf } from "../core/ndarray.js";
import { arrayOfBytes } from "./array-bytes.js";
import { ByteReader } from "./byte-reader.js";

const dtypes: Readonly<Record<string, DType>> = {
  BOOL: "bool",
  U8: "uint8",
  U16: "uint16",
  U32: "uint32",
  U64: "uint64",
  I8: "int8",
  I16: "int16",
  I32: "int32",
  I64: "int64",
  F16: "float16",
  BF16: "bfloat16",
  F32: "float32",
  F64: "float64",
  C64: "complex64",
  F8_E4M3: "float8_e4m3fn",
  F8_E5M2: "float8_e5m2",
};

/** Longest header that readers of the format accept, in bytes. */
const maxHeader = 100_000_000;
const metadata = "__metadata__";

/** What the header says about a tensor; `data_offsets` count bytes from the end of the header. */
interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** Whether the bytes begin like a safetensors file: the length of a header, then a JSON object. */
export function looksLikeSafetensors(bytes: Uint8Array): boolean {
  if (bytes.length < 10 || bytes[8] !== 0x7b) return false;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  return length <= BigInt(Math.min(maxHeader, bytes.length - 8));
}

/**
 * Tensors of a safetensors file by name, in the order of its header; each is a view of `bytes` where its place in memory allows one.
 * `source` names the file in errors. Throws a FormatError for damaged files and for dtypes without a counterpart here.
 */
export function readSafetensors(bytes: Uint8Array, source = "safetensors file"): Map<string, NDArray> {
  const reader = new ByteReader(bytes, source);
  const length = reader.u64();
  if (length > maxHeader) throw reader.error(`declares a header of ${length} bytes. Expected at most ${maxHeader}`);
  const header = parseHeader(reader, length);
  const data = reader.take(reader.remaining);
  return new Map(
    Object.entries(header)
      .filter(([name]) => name !== metadata)
      .map(([name, entry]) => [name, readEntry(reader, data, name, entry)]),
  );
}

function parseHeader(reader: ByteReader, length: number): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(reader.take(length)));
  } catch (cause) {
    throw reader.error(`has a damaged header: ${(cause as Error).message}`);
  }
  if (typeof header !== "object" || header === null || Array.isArray(header))
    throw reader.error("has a header that is no JSON object");
  return header as Record<string, unknown>;
}

function readEntry(reader: ByteReader, data: Uint8Array, name: string, value: unknown): NDArray {
  if (!isEntry(value)) throw reader.error(`has a damaged entry for ${JSON.stringify(name)}`);
  const dtype = Object.hasOwn(dtypes, value.dtype) ? dtypes[value.dtype]! : null;
  if (!dtype)
    throw reader.error(
      `holds ${JSON.stringify(name)} as ${value.dtype}. Expected one of ${Object.keys(dtypes).join(", ")}`,
    );
  const [begin, end] = value.data_offsets;
  if (begin > end || end > data.length || end - begin !== sizeOf(value.shape) * dtypeBytes(dtype))
    throw reader.error(
      `gives ${JSON.stringify(name)} bytes ${begin} to ${end} of ${data.length}, which do not hold ` +
        `${value.dtype} of shape [${value.shape.join(", ")}]`,
    );
  return arrayOfBytes(data.subarray(begin, end), value.shape, dtype);
}

function isEntry(value: unknown): value is Entry {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Partial<Entry>;
  return typeof dtype === "string" && isSizes(shape) && isSizes(offsets) && offsets.length === 2;
}
const isSizes = (value: unknown): value is Shape =>
  Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
