import type { H5Cursor, H5File } from "./h5-file.js";
import { VisitedAddresses } from "./h5-file.js";

/** What the records of a version 2 B-tree stand for. */
export const recordType = {
  hugeObject: 1,
  linkName: 5,
  attributeName: 8,
  chunk: 10,
  filteredChunk: 11,
} as const;

const leafPrefix = 10; // signature, version, type, checksum
const maxDepth = 32;

/** Cursors over the records of the version 2 B-tree whose header is at `address`. */
export function* btreeV2Records(file: H5File, address: number, type: number): Generator<H5Cursor> {
  const header = file.checked(address, 22 + file.offsetSize + file.lengthSize, "B-tree header");
  header.expect("BTHD", "B-tree header");
  const version = header.u8();
  const found = header.u8();
  if (version !== 0 || found !== type)
    throw header.error(`the B-tree at ${address} has type ${found}. Expected ${type}`);
  const nodeSize = header.u32();
  const recordSize = header.u16();
  const depth = header.u16();
  header.skip(2); // when nodes split and merge
  const root = header.address();
  const rootCount = header.u16();
  if (root === null) return;
  if (recordSize === 0 || nodeSize <= leafPrefix || depth > maxDepth)
    throw header.error(`the B-tree at ${address} is damaged`);

  const { countSize, pointerSizes } = pointerWidths(nodeSize, recordSize, depth, file.offsetSize);
  const visited = new VisitedAddresses(file);
  const walk = function* (at: number, count: number, level: number): Generator<H5Cursor> {
    visited.enter(at, "B-tree node");
    const pointerSize = pointerSizes[level] ?? 0;
    const used = leafPrefix + count * recordSize + (level > 0 ? (count + 1) * pointerSize : 0);
    if (used > nodeSize) throw header.error(`a node of the B-tree at ${address} holds more than its size`);
    const node = file.checked(at, used, "B-tree node");
    node.expect(level > 0 ? "BTIN" : "BTLF", "B-tree node");
    node.skip(2);
    const records = Array.from({ length: count }, () => node.part(recordSize));
    if (level === 0) return yield* records;
    for (let i = 0; i <= count; i++) {
      const pointer = node.part(pointerSize);
      const child = pointer.definedAddress("a B-tree child");
      yield* walk(child, pointer.uint(countSize), level - 1);
      if (i < count) yield records[i]!;
    }
  };
  yield* walk(root, rootCount, depth);
}

/** Bytes of a child's number of records, and of the whole pointer to a child on every level; both follow from the largest possible counts. */
function pointerWidths(nodeSize: number, recordSize: number, depth: number, offsetSize: number) {
  const perLeaf = Math.floor((nodeSize - leafPrefix) / recordSize);
  const countSize = bytesFor(perLeaf);
  const pointerSizes = [0];
  let below = perLeaf; // records in a full subtree
  let belowSize = 0;
  for (let level = 1; level <= depth; level++) {
    const pointer = offsetSize + countSize + belowSize;
    pointerSizes.push(pointer);
    const perNode = Math.floor((nodeSize - leafPrefix - pointer) / (recordSize + pointer));
    below = (perNode + 1) * below + perNode;
    belowSize = bytesFor(below);
  }
  return { countSize, pointerSizes };
}

/** Bytes that hold every integer up to `limit`. */
export const bytesFor = (limit: number): number => Math.min(8, Math.floor(Math.log2(Math.max(1, limit)) / 8) + 1);
