import { type DType, dtypeBytes } from "../../core/dtype.js";
import { NDArray, rowMajorStrides } from "../../core/ndarray.js";
import { arrayOfBytes, swapByteOrder } from "../array-bytes.js";
import { FormatError } from "../format-error.js";
import { openZip } from "../zip/index.js";
import type { ZipArchive } from "../zip/index.js";
import { Global, Opaque, readPickle } from "./pickle.js";

/** dtype of the elements in PyTorch's typed storages. */
const storages: Readonly<Record<string, DType>> = {
  BoolStorage: "bool",
  ByteStorage: "uint8",
  CharStorage: "int8",
  ShortStorage: "int16",
  IntStorage: "int32",
  LongStorage: "int64",
  HalfStorage: "float16",
  BFloat16Storage: "bfloat16",
  FloatStorage: "float32",
  DoubleStorage: "float64",
  ComplexFloatStorage: "complex64",
};
/** PyTorch's dtypes that are written by name, with an untyped storage. */
const namedDTypes: Readonly<Record<string, DType>> = {
  uint16: "uint16",
  uint32: "uint32",
  uint64: "uint64",
  float8_e4m3fn: "float8_e4m3fn",
  float8_e5m2: "float8_e5m2",
};

/** Memory that tensors of the file lie in. */
class Storage {
  constructor(
    readonly dtype: DType | null,
    readonly key: string,
  ) {}
}
/** A tensor that the file describes; strides and offset count elements. */
class TensorRecord {
  constructor(
    readonly storage: Storage,
    readonly offset: number,
    readonly shape: readonly number[],
    readonly strides: readonly number[],
    readonly dtype: DType,
  ) {}
}

/**
 * Tensors of a file that `torch.save` wrote (the zip form, PyTorch >= 1.6), by their keys in order; keys of nested dicts and lists are
 * joined by ".". Nothing in the file is executed; values that are no tensors are left out. `source` names the file in errors.
 * Throws a FormatError for damaged files, for TorchScript archives and for pickled modules, whose parameters only their code knows.
 */
export async function readTorchFile(bytes: Uint8Array, source = "PyTorch file"): Promise<Map<string, NDArray>> {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    throw new FormatError(
      source,
      "is no zip archive. Expected what torch.save writes since PyTorch 1.6; save older files again with it",
    );
  const zip = openZip(bytes, { source });
  const pickle = zip.names.find((name) => /^[^/]+\/data\.pkl$/.test(name));
  if (!pickle) throw new FormatError(source, `has no "data.pkl". Members: ${zip.names.slice(0, 10).join(", ")}`);
  const folder = pickle.slice(0, -"data.pkl".length);
  if (zip.has(`${folder}constants.pkl`))
    throw new FormatError(source, "is a TorchScript archive. Expected a state dict, as torch.save writes it");
  const root = readPickle(await zip.read(pickle), `${source}: ${pickle}`, handlers(source));
  if (root instanceof Opaque)
    throw new FormatError(
      source,
      `holds a pickled ${String(root.callee)}, not a state dict. Save \`module.state_dict()\` instead of the module`,
    );
  const records = new Map<string, TensorRecord>();
  collect(root, "", records, new Set());
  return load(zip, folder, records);
}

const handlers = (source: string): Parameters<typeof readPickle>[2] => ({
  persistent(id) {
    const [kind, type, key] = Array.isArray(id) ? (id as unknown[]) : [];
    if (kind !== "storage" || !(type instanceof Global))
      throw new FormatError(source, "has an unknown kind of storage");
    return new Storage(storages[type.name] ?? null, String(key));
  },
  call(callee, args) {
    const name = String(callee);
    if (name === "collections.OrderedDict" || name === "collections.defaultdict") return new Map();
    if (name.startsWith("torch._utils._rebuild_parameter")) return args[0];
    if (name === "torch._utils._rebuild_tensor_v2") return record(source, args, null);
    if (name === "torch._utils._rebuild_tensor_v3") return record(source, args, args[6]);
    return undefined;
  },
});

function record(source: string, args: readonly unknown[], named: unknown): TensorRecord {
  const [storage, offset, shape, strides] = args;
  const dtype = named instanceof Global ? namedDTypes[named.name] : storage instanceof Storage ? storage.dtype : null;
  if (!(storage instanceof Storage) || !isSizes([offset]) || !isSizes(shape) || !isSizes(strides))
    throw new FormatError(source, "has a damaged description of a tensor");
  if (!dtype)
    throw new FormatError(
      source,
      `holds a tensor of ${named ? String(named) : "a dtype"} that has no counterpart here. Convert it before saving`,
    );
  return new TensorRecord(storage, offset as number, shape, strides, dtype);
}
const isSizes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && (n as number) >= 0);

/** Tensors of nested dicts and lists, by their keys joined by ".". */
function collect(value: unknown, path: string, found: Map<string, TensorRecord>, open: Set<unknown>): void {
  if (value instanceof TensorRecord) found.set(path, value);
  if (!(value instanceof Map || Array.isArray(value)) || open.has(value)) return;
  open.add(value);
  for (const [key, item] of value.entries())
    collect(item, path === "" ? String(key) : `${path}.${String(key)}`, found, open);
  open.delete(value);
}

async function load(
  zip: ZipArchive,
  folder: string,
  records: ReadonlyMap<string, TensorRecord>,
): Promise<Map<string, NDArray>> {
  const isBig =
    zip.has(`${folder}byteorder`) && new TextDecoder().decode(await zip.read(`${folder}byteorder`)) === "big";
  const bytes = new Map<string, Uint8Array>();
  const arrays = new Map<string, NDArray>();
  for (const [name, { storage, offset, shape, strides, dtype }] of records) {
    let data = bytes.get(storage.key);
    if (!data) bytes.set(storage.key, (data = await zip.read(`${folder}data/${storage.key}`)));
    const width = dtypeBytes(dtype);
    const last = shape.includes(0) ? 0 : offset + shape.reduce((sum, size, i) => sum + (size - 1) * strides[i]!, 1);
    if (last * width > data.length)
      throw new FormatError(zip.source, `"${name}" reaches to element ${last} of ${Math.floor(data.length / width)}`);
    const ordered = isBig ? swapByteOrder(data, dtype === "complex64" ? width / 2 : width) : data;
    const whole = arrayOfBytes(
      ordered.subarray(0, Math.floor(ordered.length / width) * width),
      [(ordered.length / width) | 0],
      dtype,
    );
    const isEmpty = shape.includes(0);
    arrays.set(
      name,
      new NDArray(
        whole.data,
        shape,
        dtype,
        isEmpty ? rowMajorStrides(shape) : strides,
        whole.offset + (isEmpty ? 0 : offset),
      ),
    );
  }
  return arrays;
}
