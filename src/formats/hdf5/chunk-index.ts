import { btreeV1Leaves } from "./btree-v1.js";
import { btreeV2Records, recordType } from "./btree-v2.js";
import type { Dataspace } from "./dataspace.js";
import { extensibleArrayEntries } from "./extensible-array.js";
import { fixedArrayEntries } from "./fixed-array.js";
import type { H5Cursor, H5File } from "./h5-file.js";
import { readIndexEntry } from "./index-entry.js";
import type { H5Layout } from "./layout.js";

/** A stored chunk: where it lies, its stored size, and its place counted in chunks along every axis. */
export interface StoredChunk {
  readonly address: number;
  readonly size: number;
  readonly filterMask: number;
  readonly place: readonly number[];
}

/** The chunks that a chunked dataset has stored, in no particular order. */
export function* storedChunks(
  file: H5File,
  layout: H5Layout & { kind: "chunked" },
  { shape, maxShape }: Dataspace,
): Generator<StoredChunk> {
  const { chunk, elementSize, index } = layout;
  if (index.address === null || shape === null) return;
  const plainSize = chunk.reduce((product, dim) => product * dim, elementSize);
  const rank = chunk.length;

  if (index.kind === "btree-v1") {
    for (const { key, address } of btreeV1Leaves(file, index.address, 1, 8 * (rank + 2))) {
      const size = key.u32();
      const filterMask = key.u32();
      const place = chunk.map((dim) => wholeChunks(key, dim));
      yield { address, size, filterMask, place };
    }
    return;
  }
  if (index.kind === "btree-v2") {
    const filtered = file.at(index.address + 5).u8() === recordType.filteredChunk;
    const type = filtered ? recordType.filteredChunk : recordType.chunk;
    for (const record of btreeV2Records(file, index.address, type)) {
      const entry = readIndexEntry(record, record.remaining - 8 * rank, filtered);
      if (entry.address === null) continue;
      const place = chunk.map(() => record.u64());
      yield { address: entry.address, size: entry.size ?? plainSize, filterMask: entry.filterMask, place };
    }
    return;
  }
  if (index.kind === "single") {
    const { address, size, filterMask } = index;
    yield { address, size: size ?? plainSize, filterMask, place: chunk.map(() => 0) };
    return;
  }

  // These number the chunks of the largest extent row by row; an unlimited axis comes first.
  const limits = shape.map((dim, axis) => (maxShape[axis] === undefined ? dim : maxShape[axis]!));
  const unlimited = limits.indexOf(null as never);
  const axes = chunk.map((_, axis) => axis).sort((a, b) => Number(b === unlimited) - Number(a === unlimited) || a - b);
  const counts = axes.map((axis) => Math.ceil((limits[axis] ?? 0) / chunk[axis]!));
  const placeOf = (number: number): number[] => {
    const place = new Array<number>(rank).fill(0);
    let rest = number;
    for (let i = rank - 1; i > 0; i--) {
      place[axes[i]!] = rest % counts[i]!;
      rest = Math.floor(rest / counts[i]!);
    }
    place[axes[0]!] = rest;
    return place;
  };
  if (index.kind === "implicit") {
    const total = counts.reduce((product, count) => product * count, 1);
    file.at(index.address, total * plainSize); // all chunks lie one after another
    for (let i = 0; i < total; i++) {
      yield { address: index.address + i * plainSize, size: plainSize, filterMask: 0, place: placeOf(i) };
    }
    return;
  }
  const entries =
    index.kind === "fixed-array" ? fixedArrayEntries(file, index.address) : extensibleArrayEntries(file, index.address);
  let number = 0;
  for (const entry of entries) {
    const place = entry.address === null ? [] : placeOf(number);
    number++;
    if (entry.address === null) continue;
    yield { address: entry.address, size: entry.size ?? plainSize, filterMask: entry.filterMask, place };
  }
}

function wholeChunks(key: H5Cursor, dim: number): number {
  const offset = key.u64();
  if (offset % dim !== 0) throw key.error(`a chunk begins at element ${offset}. Expected a multiple of ${dim}`);
  return offset / dim;
}
