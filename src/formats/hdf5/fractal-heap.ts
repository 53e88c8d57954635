import { btreeV2Records, bytesFor, recordType } from "./btree-v2.js";
import type { H5Cursor, H5File } from "./h5-file.js";
import { VisitedAddresses } from "./h5-file.js";

interface Block {
  /** Where the block begins in the heap's own address space. */
  readonly offset: number;
  readonly size: number;
  readonly address: number;
}

/** A heap of small objects: links of groups with many members, attributes of objects with many attributes. */
export class FractalHeap {
  private readonly offsetBytes: number;
  private readonly lengthBytes: number;
  private readonly idLength: number;
  private readonly hugeTree: number | null;
  private readonly blocks: readonly Block[];
  private huge: ReadonlyMap<number, { address: number; length: number }> | undefined;

  constructor(
    private readonly file: H5File,
    address: number,
  ) {
    const { offsetSize, lengthSize } = file;
    const size = 26 + 3 * offsetSize + 12 * lengthSize;
    const probe = file.at(address);
    probe.expect("FRHP", "fractal heap");
    probe.skip(3);
    if (probe.u16() !== 0) throw probe.error("filtered fractal heaps are not supported");
    const header = file.checked(address, size, "fractal heap");
    header.skip(5);
    this.idLength = header.u16();
    header.skip(2);
    header.skip(1); // flags
    const maxManaged = header.u32();
    header.skip(lengthSize);
    this.hugeTree = header.address();
    header.skip(lengthSize + offsetSize + 8 * lengthSize);
    const width = header.u16();
    const startSize = header.length();
    const maxDirect = header.length();
    const maxBits = header.u16();
    header.skip(2);
    const root = header.address();
    const rootRows = header.u16();
    const powerOfTwo = (n: number): boolean => n > 0 && Number.isInteger(Math.log2(n));
    if (
      !powerOfTwo(width) ||
      !powerOfTwo(startSize) ||
      !powerOfTwo(maxDirect) ||
      maxDirect < startSize ||
      maxBits > 64
    ) {
      throw header.error(`the fractal heap at ${address} is damaged`);
    }
    this.offsetBytes = Math.ceil(maxBits / 8);
    this.lengthBytes = Math.min(Math.ceil(Math.log2(maxDirect) / 8), bytesFor(maxManaged));
    this.blocks =
      root === null
        ? []
        : listBlocks(file, root, rootRows, { width, startSize, maxDirect, offsetBytes: this.offsetBytes });
  }

  /** A cursor over the object with the heap ID at `id`, which is moved behind it. */
  object(id: H5Cursor): H5Cursor {
    const entry = id.part(this.idLength);
    const flags = entry.u8();
    if (flags >> 6 !== 0) throw id.error(`a heap ID has version ${flags >> 6}. Expected 0`);
    switch ((flags >> 4) & 3) {
      case 0:
        return this.managed(entry.uint(this.offsetBytes), entry.uint(this.lengthBytes));
      case 1:
        return this.hugeObject(entry);
      case 2:
        return entry.part(this.idLength > 17 ? (((flags & 15) << 8) | entry.u8()) + 1 : (flags & 15) + 1);
      default:
        throw id.error("a heap ID has an unknown type");
    }
  }

  private managed(offset: number, length: number): H5Cursor {
    const block = this.blocks.find((b) => offset >= b.offset && offset + length <= b.offset + b.size);
    if (!block) throw this.file.at(0).error(`the fractal heap has no object of ${length} bytes at ${offset}`);
    return this.file.at(block.address + (offset - block.offset), length);
  }

  /** Objects too large for a block lie by themselves; their ID holds their place when it is long enough, else a number to look up. */
  private hugeObject(entry: H5Cursor): H5Cursor {
    const { offsetSize, lengthSize } = this.file;
    if (this.idLength - 1 >= offsetSize + lengthSize) {
      return this.file.at(entry.definedAddress("a heap object"), entry.length());
    }
    const id = entry.uint(Math.min(lengthSize, this.idLength - 1));
    this.huge ??= this.readHuge();
    const found = this.huge.get(id);
    if (!found) throw entry.error(`the fractal heap has no large object ${id}`);
    return this.file.at(found.address, found.length);
  }

  private readHuge(): ReadonlyMap<number, { address: number; length: number }> {
    const objects = new Map<number, { address: number; length: number }>();
    if (this.hugeTree === null) return objects;
    for (const record of btreeV2Records(this.file, this.hugeTree, recordType.hugeObject)) {
      const address = record.definedAddress("a heap object");
      const length = record.length();
      objects.set(record.length(), { address, length });
    }
    return objects;
  }
}

interface Table {
  /** Blocks in a row. */
  readonly width: number;
  readonly startSize: number;
  readonly maxDirect: number;
  readonly offsetBytes: number;
}

/** All data blocks of a heap. Rows of the doubling table hold blocks of startSize, startSize, 2 startSize, 4 startSize... */
function listBlocks(file: H5File, root: number, rootRows: number, table: Table): Block[] {
  const { width, startSize, maxDirect } = table;
  const blocks: Block[] = [];
  if (rootRows === 0) {
    addDirect(file, blocks, { offset: 0, size: startSize, address: root });
    return blocks;
  }
  const visited = new VisitedAddresses(file);
  const directRows = Math.log2(maxDirect) - Math.log2(startSize) + 2;
  const rowSize = (row: number): number => startSize * 2 ** Math.max(0, row - 1);
  const walk = (address: number, start: number, rows: number): void => {
    visited.enter(address, "fractal heap block");
    const length = 9 + file.offsetSize + table.offsetBytes + rows * width * file.offsetSize;
    const block = file.checked(address, length, "fractal heap block");
    block.expect("FHIB", "fractal heap block");
    block.skip(1 + file.offsetSize + table.offsetBytes);
    let offset = start;
    for (let row = 0; row < rows; row++) {
      const size = rowSize(row);
      for (let i = 0; i < width; i++, offset += size) {
        const child = block.address();
        if (child === null) continue;
        if (row < directRows) addDirect(file, blocks, { offset, size, address: child });
        else walk(child, offset, Math.log2(size) - Math.log2(startSize * width) + 1);
      }
    }
  };
  walk(root, 0, rootRows);
  return blocks;
}

function addDirect(file: H5File, blocks: Block[], block: Block): void {
  file.at(block.address, block.size).expect("FHDB", "fractal heap block");
  blocks.push(block);
}
