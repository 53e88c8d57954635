import type { NDArray } from "../../core/ndarray.js";
import { FormatError } from "../format-error.js";
import { btreeV2Records, recordType } from "./btree-v2.js";
import { readDataspace } from "./dataspace.js";
import { readDatatype } from "./datatype.js";
import { FractalHeap } from "./fractal-heap.js";
import { decodeText } from "./global-heap.js";
import type { GlobalHeap } from "./global-heap.js";
import type { H5Cursor } from "./h5-file.js";
import { messageType, sharedMessage } from "./object-header.js";
import type { ObjectHeader } from "./object-header.js";
import { decodeNumbers, decodeStrings, elementCount } from "./values.js";

/**
 * Value of an attribute. Scalars are plain values (an integer past 2^53 a bigint), arrays of text lists in row-major order, all
 * other arrays NDArrays; null where the attribute has no element at all.
 */
export type H5AttributeValue = string | number | bigint | boolean | readonly string[] | NDArray | null;

/** Attributes of a group or dataset; values are decoded when asked for. */
export class H5Attributes {
  constructor(
    private readonly values: ReadonlyMap<string, () => H5AttributeValue>,
    private readonly source: string,
  ) {}

  get names(): string[] {
    return [...this.values.keys()];
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** Undefined when there is no such attribute; throws a FormatError when its type has no counterpart. */
  get(name: string): H5AttributeValue | undefined {
    return this.values.get(name)?.();
  }

  /** An attribute that has to be text; undefined when there is none, a FormatError when it is something else. */
  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === "string") return value;
    throw new FormatError(this.source, `the attribute "${name}" is no text`);
  }
}

/** Reads the attributes in an object's header and in its heap. */
export function readAttributes(header: ObjectHeader, heap: GlobalHeap, source: string): H5Attributes {
  const values = new Map<string, () => H5AttributeValue>();
  for (const message of header.all(messageType.attribute)) addAttribute(message, heap, source, values);
  const info = header.first(messageType.attributeInfo);
  if (info) {
    info.skip(1);
    if (info.u8() & 1) info.skip(2);
    const heapAddress = info.address();
    const tree = info.address();
    if (heapAddress !== null && tree !== null) {
      const dense = new FractalHeap(header.file, heapAddress);
      for (const record of btreeV2Records(header.file, tree, recordType.attributeName)) {
        addAttribute(dense.object(record), heap, source, values);
      }
    }
  }
  return new H5Attributes(values, source);
}

function addAttribute(
  message: H5Cursor,
  heap: GlobalHeap,
  source: string,
  values: Map<string, () => H5AttributeValue>,
): void {
  const version = message.u8();
  if (version < 1 || version > 3) throw message.error(`an attribute has version ${version}. Expected 1 to 3`);
  const flags = message.u8();
  const sizes = [message.u16(), message.u16(), message.u16()];
  if (version === 3) message.skip(1); // character set
  const [name, type, space] = sizes.map((size) => {
    const part = message.part(size);
    if (version === 1) message.skip(-size & 7);
    return part;
  }) as [H5Cursor, H5Cursor, H5Cursor];
  const key = decodeText(name.take(name.remaining));
  const shared = version === 1 ? 0 : flags;
  values.set(key, () => {
    const typeAt = type.here; // cursors move: start over on every call
    const typeCursor = message.file.at(typeAt, type.remaining);
    const spaceCursor = message.file.at(space.here, space.remaining);
    return decode(
      shared & 1 ? sharedMessage(typeCursor, messageType.datatype) : typeCursor,
      shared & 2 ? sharedMessage(spaceCursor, messageType.dataspace) : spaceCursor,
      message.file.at(message.here, message.remaining),
      heap,
      `${source}: attribute "${key}"`,
    );
  });
}

function decode(type: H5Cursor, space: H5Cursor, data: H5Cursor, heap: GlobalHeap, source: string): H5AttributeValue {
  const elementType = readDatatype(type);
  const { shape } = readDataspace(space);
  if (shape === null) return null;
  const length = elementCount(shape) * elementType.size;
  if (length > data.remaining) throw new FormatError(source, `declares ${length} bytes but holds ${data.remaining}`);
  const raw = { type: elementType, shape, bytes: data.take(length) };
  if (elementType.kind === "string" || elementType.kind === "fixed-string") {
    const texts = decodeStrings(raw, data.file, heap, source);
    return shape.length === 0 ? texts[0]! : texts;
  }
  const array = decodeNumbers(raw, source);
  return array.ndim === 0 && array.dtype !== "complex64" ? scalar(array) : array;
}

function scalar(array: NDArray): number | bigint | boolean {
  const value = array.at();
  if (array.dtype === "bool") return value !== 0;
  return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
