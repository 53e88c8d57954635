import type { H5Cursor } from "./h5-file.js";

/** An entry of an index that counts chunks; a null address means that the chunk was never written. */
export interface IndexEntry {
  readonly address: number | null;
  readonly size: number | null;
  readonly filterMask: number;
}

/** The entry of a chunk that was never written. */
export const missing: IndexEntry = { address: null, size: null, filterMask: 0 };

/** Reads an entry of `width` bytes; that of a filtered chunk has its stored size and the filters left out as well. */
export function readIndexEntry(cursor: H5Cursor, width: number, filtered: boolean): IndexEntry {
  const address = cursor.address();
  if (!filtered) return { address, size: null, filterMask: 0 };
  const size = cursor.uint(width - cursor.file.offsetSize - 4);
  return { address, size, filterMask: cursor.u32() };
}

/** Throws when the entries of an array of chunks cannot have `size` bytes. */
export function checkEntrySize(header: H5Cursor, size: number, filtered: boolean): void {
  const { offsetSize } = header.file;
  const fits = filtered ? size > offsetSize + 4 && size <= offsetSize + 12 : size === offsetSize;
  if (!fits) throw header.error(`an array of chunks has entries of ${size} bytes`);
}
