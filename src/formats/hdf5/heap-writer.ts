import type { ByteWriter } from "../byte-writer.js";

const headerSize = 16;
const minimumSize = 4096;
const maximumObjects = 60_000;
const preferredSize = 2 ** 20;

interface Collection {
  readonly texts: Uint8Array[];
  used: number;
  address: number;
}

/** Collects strings of variable length and lays them out in global heap collections. */
export class HeapWriter {
  private readonly collections: Collection[] = [];
  private readonly places: { length: number; collection: Collection; index: number }[] = [];

  /** Keeps `text` and returns a number for `locate`. */
  add(text: string): number {
    const bytes = new TextEncoder().encode(text);
    const size = headerSize + padded(bytes.length);
    let last = this.collections.at(-1);
    if (!last || last.texts.length >= maximumObjects || (last.texts.length > 0 && last.used + size > preferredSize)) {
      last = { texts: [], used: headerSize, address: 0 };
      this.collections.push(last);
    }
    last.texts.push(bytes);
    last.used += size;
    this.places.push({ length: bytes.length, collection: last, index: last.texts.length });
    return this.places.length - 1;
  }

  /** Gives the collections their place from `address` on, a multiple of 8, and returns the address behind them. */
  place(address: number): number {
    for (const collection of this.collections) {
      collection.address = address;
      address += sizeOf(collection);
    }
    return address;
  }

  /** Where a text lies; known once `place` was called. */
  locate(reference: number): { length: number; address: number; index: number } {
    const { length, collection, index } = this.places[reference]!;
    return { length, address: collection.address, index };
  }

  /** The collections, one after another. */
  write(writer: ByteWriter): void {
    for (const collection of this.collections) {
      const end = writer.length + sizeOf(collection);
      writer.text("GCOL").u8(1, 0, 0, 0).u64(sizeOf(collection));
      collection.texts.forEach((bytes, i) => {
        writer
          .u16(i + 1)
          .u16(0)
          .u32(0)
          .u64(bytes.length)
          .bytes(bytes)
          .zeros(padded(bytes.length) - bytes.length);
      });
      // Object 0 is the free space; its size counts its own header.
      writer
        .u16(0)
        .u16(0)
        .u32(0)
        .u64(end - writer.length + 8);
      writer.zeros(end - writer.length);
    }
  }
}

/** Room for the texts and the header of the free space. */
const sizeOf = ({ used }: Collection): number => Math.max(minimumSize, used + headerSize);

const padded = (length: number): number => length + (-length & 7);
