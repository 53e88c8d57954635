import type { DType, Shape } from "../../core/dtype.js";
import { isDType, dtypeBytes } from "../../core/dtype.js";
import type { NDArray } from "../../core/ndarray.js";
import { arrayOfBytes, swapByteOrder } from "../array-bytes.js";
import { FormatError } from "../format-error.js";
import type { H5Type } from "./datatype.js";
import { decodeText } from "./global-heap.js";
import type { GlobalHeap } from "./global-heap.js";
import { H5Cursor, H5File } from "./h5-file.js";

/** Elements as they lie in memory, ready to be read as their type. */
export interface RawValues {
  readonly type: H5Type;
  readonly shape: Shape;
  readonly bytes: Uint8Array;
  /** dtype that a `dtype` attribute gives to opaque elements. */
  readonly opaqueAs?: string | undefined;
}

/** Number of elements; may be beyond what fits in memory, so compare it before use. */
export const elementCount = (shape: Shape): number => shape.reduce((product, dim) => product * dim, 1);

/** dtype of numeric elements, also of opaque ones that are marked as one; undefined for strings and all others. */
export function numericDType(type: H5Type, opaqueAs?: string): DType | undefined {
  if (type.kind === "number") return type.dtype;
  if (type.kind !== "opaque") return undefined;
  if (isDType(opaqueAs) && dtypeBytes(opaqueAs) === type.size) return opaqueAs;
  return "uint8";
}

/** Numeric elements as an array; opaque elements of an unknown kind become bytes along one more axis. */
export function decodeNumbers({ type, shape, bytes, opaqueAs }: RawValues, source: string): NDArray {
  const dtype = numericDType(type, opaqueAs);
  if (!dtype) {
    const held = type.kind === "unsupported" ? type.what : "text";
    throw new FormatError(source, `holds elements that are no numbers (${held})`);
  }
  if (type.kind === "opaque" && dtypeBytes(dtype) !== type.size)
    return arrayOfBytes(bytes, [...shape, type.size], dtype);
  const swapped = type.kind === "number" && type.bigEndian && type.size > 1;
  const little = swapped ? swapByteOrder(bytes, dtype === "complex64" ? 4 : type.size) : bytes;
  return arrayOfBytes(
    dtype === "bool" && little.some((v) => v > 1) ? little.map((v) => (v ? 1 : 0)) : little,
    shape,
    dtype,
  );
}

/** Elements that are text, in row-major order. */
export function decodeStrings(
  { type, shape, bytes }: RawValues,
  file: H5File,
  heap: GlobalHeap,
  source: string,
): string[] {
  const count = elementCount(shape);
  if (type.kind === "string") {
    const cursor = new H5Cursor(new H5File(bytes, source, 0, file.offsetSize, file.lengthSize), 0);
    return Array.from({ length: count }, () => heap.text(cursor.part(type.size)));
  }
  if (type.kind !== "fixed-string") throw new FormatError(source, "holds elements that are no text");
  const { size, spacePadded } = type;
  return Array.from({ length: count }, (_, i) => {
    const text = decodeText(bytes.subarray(i * size, (i + 1) * size));
    return spacePadded ? text.replace(/ +$/, "") : text;
  });
}
