import { isPageUsed, pageOfEntries } from "./fixed-array.js";
import type { H5Cursor, H5File } from "./h5-file.js";
import { VisitedAddresses } from "./h5-file.js";
import { checkEntrySize, missing, readIndexEntry } from "./index-entry.js";
import type { IndexEntry } from "./index-entry.js";

/** What the array's header fixes about its blocks. */
interface Geometry {
  readonly file: H5File;
  readonly filtered: boolean;
  readonly entrySize: number;
  readonly pageEntries: number;
  /** Bytes of a block's number of its first entry. */
  readonly offsetBytes: number;
  readonly visited: VisitedAddresses;
}

/**
 * Entries of the extensible array (index of chunked datasets with one unlimited axis) with its header at `address`, in order.
 * The first entries stand in the index block, the next in data blocks it points to, the others in data blocks of super blocks;
 * super block s has 2^floor(s/2) data blocks of 2^ceil(s/2) times the smallest size.
 */
export function* extensibleArrayEntries(file: H5File, address: number): Generator<IndexEntry> {
  const header = file.checked(address, 16 + 6 * file.lengthSize + file.offsetSize, "extensible array");
  header.expect("EAHD", "extensible array");
  header.skip(1);
  const filtered = header.u8() === 1;
  const entrySize = header.u8();
  const maxBits = header.u8();
  const inIndex = header.u8();
  const smallest = header.u8();
  const minPointers = header.u8();
  const pageEntries = 2 ** header.u8();
  header.skip(4 * file.lengthSize);
  const used = header.length(); // entries up to the last one that was set
  header.length();
  const indexAt = header.address();
  if (indexAt === null) return;
  checkEntrySize(header, entrySize, filtered);
  if (!isPowerOfTwo(smallest) || !isPowerOfTwo(minPointers) || maxBits > 64 || Math.log2(smallest) > maxBits) {
    throw header.error(`the extensible array at ${address} is damaged`);
  }
  const visited = new VisitedAddresses(file);
  const geometry = { file, filtered, entrySize, pageEntries, offsetBytes: Math.ceil(maxBits / 8), visited };
  const superBlocks = 1 + maxBits - Math.log2(smallest);
  const direct = Math.min(2 * Math.log2(minPointers), superBlocks); // super blocks whose data blocks the index block points to
  const pointers = 2 * (minPointers - 1);
  const prefix = 6 + file.offsetSize;
  const pointersSize = (pointers + superBlocks - direct) * file.offsetSize;
  const index = file.checked(indexAt, prefix + inIndex * entrySize + pointersSize + 4, "extensible array index");
  index.expect("EAIB", "extensible array index");
  index.skip(prefix - 4);

  let left = used;
  for (let i = 0; i < inIndex && left > 0; i++, left--) yield readIndexEntry(index, entrySize, filtered);
  index.position = file.base + indexAt + prefix + inIndex * entrySize;
  for (let s = 0; s < superBlocks && left > 0; s++) {
    const blocks = 2 ** Math.floor(s / 2);
    const entries = 2 ** Math.ceil(s / 2) * smallest;
    const block =
      s < direct ? { pointers: index, bitmap: null } : openSuperBlock(geometry, index.address(), blocks, entries);
    const pages = entries / pageEntries;
    for (let b = 0; b < blocks && left > 0; b++) {
      const at = block ? block.pointers.address() : null;
      const count = Math.min(entries, left);
      if (at === null) yield* skipped(count, header);
      else
        yield* dataBlock(geometry, at, entries, count, (page) => isPageUsed(block?.bitmap ?? null, b * pages + page));
      left -= count;
    }
  }
}

function openSuperBlock(
  { file, pageEntries, offsetBytes, visited }: Geometry,
  address: number | null,
  blocks: number,
  entries: number,
): { pointers: H5Cursor; bitmap: Uint8Array | null } | null {
  if (address === null) return null;
  visited.enter(address, "extensible array block");
  const bitmapSize = entries > pageEntries ? Math.ceil(entries / pageEntries / 8) : 0;
  const prefix = 6 + file.offsetSize + offsetBytes;
  const length = prefix + blocks * (bitmapSize + file.offsetSize) + 4;
  const block = file.checked(address, length, "extensible array block");
  block.expect("EASB", "extensible array block");
  block.skip(prefix - 4);
  // The pages of all data blocks are numbered through.
  const bitmap = bitmapSize > 0 ? block.take(blocks * bitmapSize) : null;
  return { pointers: block, bitmap };
}

function* dataBlock(
  { file, filtered, entrySize, pageEntries, offsetBytes, visited }: Geometry,
  address: number,
  entries: number,
  count: number,
  isUsed: (page: number) => boolean,
): Generator<IndexEntry> {
  visited.enter(address, "extensible array block");
  const prefix = 6 + file.offsetSize + offsetBytes;
  const paged = entries > pageEntries;
  const block = file.checked(address, prefix + (paged ? 0 : entries * entrySize) + 4, "extensible array block");
  block.expect("EADB", "extensible array block");
  block.skip(prefix - 4);
  if (!paged) {
    for (let i = 0; i < count; i++) yield readIndexEntry(block, entrySize, filtered);
    return;
  }
  let at = address + prefix + 4;
  let left = count;
  for (let page = 0; left > 0; page++) {
    for (const entry of pageOfEntries(file, at, pageEntries, entrySize, filtered, isUsed(page))) {
      if (left-- > 0) yield entry;
    }
    at += pageEntries * entrySize + 4;
  }
}

/** Chunks never written; more of them than the file has bytes can only be damage. */
function* skipped(count: number, header: H5Cursor): Generator<IndexEntry> {
  if (count > header.bytes.length * 8)
    throw header.error("an extensible array declares more chunks than the file can hold");
  for (let i = 0; i < count; i++) yield missing;
}

const isPowerOfTwo = (n: number): boolean => n > 0 && Number.isInteger(Math.log2(n));
