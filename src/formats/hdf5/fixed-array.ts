import type { H5File } from "./h5-file.js";
import { checkEntrySize, missing, readIndexEntry } from "./index-entry.js";
import type { IndexEntry } from "./index-entry.js";

/** Entries of the fixed array (index of chunked datasets whose extent is limited) with its header at `address`, in order. */
export function* fixedArrayEntries(file: H5File, address: number): Generator<IndexEntry> {
  const header = file.checked(address, 12 + file.lengthSize + file.offsetSize, "fixed array");
  header.expect("FAHD", "fixed array");
  header.skip(1);
  const filtered = header.u8() === 1;
  const entrySize = header.u8();
  const pageEntries = 2 ** header.u8();
  const count = header.length();
  const blockAt = header.address();
  if (blockAt === null) return;
  checkEntrySize(header, entrySize, filtered);

  const prefix = 6 + file.offsetSize;
  if (count <= pageEntries) {
    const block = file.checked(blockAt, prefix + count * entrySize + 4, "fixed array block");
    block.expect("FADB", "fixed array block");
    block.skip(prefix - 4);
    for (let i = 0; i < count; i++) yield readIndexEntry(block, entrySize, filtered);
    return;
  }
  const pages = Math.ceil(count / pageEntries);
  const bitmapSize = Math.ceil(pages / 8);
  const block = file.checked(blockAt, prefix + bitmapSize + 4, "fixed array block");
  block.expect("FADB", "fixed array block");
  block.skip(prefix - 4);
  const bitmap = block.take(bitmapSize);
  let at = blockAt + prefix + bitmapSize + 4;
  for (let page = 0; page < pages; page++) {
    const entries = Math.min(pageEntries, count - page * pageEntries);
    yield* pageOfEntries(file, at, entries, entrySize, filtered, isPageUsed(bitmap, page));
    at += entries * entrySize + 4;
  }
}

/** Entries of one page; a page never written counts as so many missing chunks. */
export function* pageOfEntries(
  file: H5File,
  address: number,
  count: number,
  entrySize: number,
  filtered: boolean,
  used: boolean,
): Generator<IndexEntry> {
  if (used) {
    const page = file.checked(address, count * entrySize + 4, "array page");
    for (let i = 0; i < count; i++) yield readIndexEntry(page, entrySize, filtered);
  } else {
    file.at(address, count * entrySize + 4);
    for (let i = 0; i < count; i++) yield missing;
  }
}

/** Whether a page was ever written; without a bitmap all were. */
export const isPageUsed = (bitmap: Uint8Array | null, page: number): boolean =>
  bitmap === null || ((bitmap[page >> 3] ?? 0) & (0x80 >> (page & 7))) !== 0;
