import type { Shape } from "../../core/dtype.js";
import { rowMajorStrides } from "../../core/ndarray.js";
import { FormatError } from "../format-error.js";
import { storedChunks } from "./chunk-index.js";
import type { StoredChunk } from "./chunk-index.js";
import type { Dataspace } from "./dataspace.js";
import { undoFilters } from "./filters.js";
import type { H5Filter } from "./filters.js";
import type { H5File } from "./h5-file.js";
import type { H5Layout } from "./layout.js";
import { elementCount } from "./values.js";

/** Everything that says where the elements of a dataset are. */
export interface DatasetPlan {
  readonly file: H5File;
  readonly source: string;
  readonly space: Dataspace;
  readonly elementSize: number;
  readonly layout: H5Layout;
  readonly filters: readonly H5Filter[];
  /** Bytes of an element that was never written; null stands for zeros. */
  readonly fill: Uint8Array | null;
}

/** A dataset up to this size, in bytes, may be mostly unwritten; a larger one must not declare more than its stored bytes can be. */
const expansionFloor = 2 ** 28;
const maxExpansion = 1100;

/** The elements of a dataset in row-major order: a view of the file where they lie there in one piece, else a new buffer. */
export async function datasetBytes(plan: DatasetPlan): Promise<Uint8Array> {
  const { file, source, layout, elementSize, space } = plan;
  if (space.shape === null) return new Uint8Array(0);
  const size = elementCount(space.shape) * elementSize;
  if (layout.kind === "compact") {
    if (layout.bytes.length < size)
      throw new FormatError(source, `declares ${size} bytes but holds ${layout.bytes.length}`);
    return layout.bytes.subarray(0, size);
  }
  if (layout.kind === "contiguous") {
    if (layout.address === null) return emptyBytes(plan, size, 0);
    if (layout.size < size) throw new FormatError(source, `declares ${size} bytes but holds ${layout.size}`);
    return file.at(layout.address, size).take(size);
  }
  return size === 0 ? new Uint8Array(0) : chunkedBytes(plan, layout, space.shape, size);
}

/** `size` bytes as they are before anything is written; throws when the `stored` ones cannot justify so many. */
function emptyBytes({ file, source, fill }: DatasetPlan, size: number, stored: number): Uint8Array {
  if (!(size <= Math.max(expansionFloor, maxExpansion * Math.min(stored, file.bytes.length)))) {
    throw new FormatError(source, `declares ${size} bytes but only ${stored} are stored: refusing to allocate them`);
  }
  const out = new Uint8Array(size);
  if (fill?.some((byte) => byte !== 0)) {
    out.set(fill.subarray(0, size));
    for (let done = fill.length; done < size; done *= 2) out.copyWithin(done, 0, Math.min(done, size - done));
  }
  return out;
}

async function chunkedBytes(
  plan: DatasetPlan,
  layout: H5Layout & { kind: "chunked" },
  shape: Shape,
  size: number,
): Promise<Uint8Array> {
  const { file, source, elementSize, filters, space } = plan;
  const { chunk } = layout;
  if (chunk.length !== shape.length || layout.elementSize !== elementSize) {
    throw new FormatError(
      source,
      `has chunks of [${chunk}] times ${layout.elementSize} bytes in a shape of [${shape}]`,
    );
  }
  const counts = shape.map((dim, axis) => Math.ceil(dim / chunk[axis]!));
  const countStrides = rowMajorStrides(counts);
  const chunks = new Map<number, StoredChunk>();
  let stored = 0;
  for (const found of storedChunks(file, layout, space)) {
    if (found.place.some((at, axis) => at >= counts[axis]!)) continue; // left over from a larger extent
    const number = found.place.reduce((sum, at, axis) => sum + at * countStrides[axis]!, 0);
    if (chunks.has(number)) throw new FormatError(source, `stores the chunk at [${found.place}] twice`);
    chunks.set(number, found);
    stored += found.size;
  }

  const out = emptyBytes(plan, size, stored);
  const plainSize = elementCount(chunk) * elementSize;
  for (const { address, size: storedSize, filterMask, place } of chunks.values()) {
    const packed = file.at(address, storedSize).take(storedSize);
    const isEdge = place.some((at, axis) => (at + 1) * chunk[axis]! > shape[axis]!);
    const applied = layout.plainEdges && isEdge ? [] : filters;
    const plain = await undoFilters(packed, applied, filterMask, plainSize, source);
    placeChunk(out, plain, shape, chunk, place, elementSize);
  }
  return out;
}

/** Copies the part of a chunk that lies inside the dataset, one row of the last axis at a time. */
function placeChunk(
  out: Uint8Array,
  plain: Uint8Array,
  shape: Shape,
  chunk: readonly number[],
  place: readonly number[],
  elementSize: number,
): void {
  const to = rowMajorStrides(shape);
  const from = rowMajorStrides(chunk);
  const start = place.map((at, axis) => at * chunk[axis]!);
  const extent = chunk.map((dim, axis) => Math.min(dim, shape[axis]! - start[axis]!));
  const last = shape.length - 1;
  const rowBytes = extent[last]! * elementSize;
  const copy = (axis: number, source: number, target: number): void => {
    if (axis === last) {
      const at = source * elementSize;
      out.set(plain.subarray(at, at + rowBytes), target * elementSize);
      return;
    }
    for (let i = 0; i < extent[axis]!; i++) copy(axis + 1, source + i * from[axis]!, target + i * to[axis]!);
  };
  copy(
    0,
    0,
    start.reduce((sum, at, axis) => sum + at * to[axis]!, 0),
  );
}
