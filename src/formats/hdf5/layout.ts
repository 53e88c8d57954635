import type { H5Cursor } from "./h5-file.js";

/** How the addresses of a dataset's chunks are found. */
export type ChunkIndex =
  | {
      readonly kind: "btree-v1" | "implicit" | "fixed-array" | "extensible-array" | "btree-v2";
      readonly address: number | null;
    }
  | {
      readonly kind: "single";
      readonly address: number | null;
      readonly size: number | null;
      readonly filterMask: number;
    };

/** Where the elements of a dataset lie. */
export type H5Layout =
  | { readonly kind: "compact"; readonly bytes: Uint8Array }
  | { readonly kind: "contiguous"; readonly address: number | null; readonly size: number }
  | {
      readonly kind: "chunked";
      /** Elements of a chunk along every axis of the dataset. */
      readonly chunk: readonly number[];
      readonly elementSize: number;
      /** Chunks that reach over the dataset's edge are stored unfiltered. */
      readonly plainEdges: boolean;
      readonly index: ChunkIndex;
    };

/** Reads a data layout message (versions 3 and 4). Virtual datasets are refused: they lead outside the file. */
export function readLayout(cursor: H5Cursor): H5Layout {
  const version = cursor.u8();
  if (version !== 3 && version !== 4) {
    throw cursor.error(
      `a data layout has version ${version}. Expected 3 or 4: files of HDF5 before 1.6.3 are not supported`,
    );
  }
  const kind = cursor.u8();
  if (kind === 0) return { kind: "compact", bytes: cursor.take(cursor.u16()) };
  if (kind === 1) return { kind: "contiguous", address: cursor.address(), size: cursor.length() };
  if (kind === 3) throw cursor.error("virtual datasets are not allowed: their elements lie in other files");
  if (kind !== 2) throw cursor.error(`a data layout has class ${kind}. Expected 0 to 2`);
  return version === 3 ? readChunkedV3(cursor) : readChunkedV4(cursor);
}

function readChunkedV3(cursor: H5Cursor): H5Layout {
  const axes = cursor.u8(); // the element counts as the last axis
  const address = cursor.address();
  return chunked(
    cursor,
    Array.from({ length: axes }, () => cursor.u32()),
    false,
    { kind: "btree-v1", address },
  );
}

const indexKinds = {
  2: "implicit",
  3: "fixed-array",
  4: "extensible-array",
  5: "btree-v2",
} as const;
/** Parameters that the layout repeats from the index's own header. */
const repeatedBytes = { 2: 0, 3: 1, 4: 5, 5: 6 } as const;

function readChunkedV4(cursor: H5Cursor): H5Layout {
  const flags = cursor.u8();
  const axes = cursor.u8();
  const width = cursor.u8();
  if (width < 1 || width > 8) throw cursor.error(`the sizes of a chunk have ${width} bytes. Expected 1 to 8`);
  const dims = Array.from({ length: axes }, () => cursor.uint(width));
  const kind = cursor.u8();
  const plainEdges = (flags & 1) !== 0;
  if (kind === 1) {
    const filtered = (flags & 2) !== 0;
    const size = filtered ? cursor.length() : null;
    const filterMask = filtered ? cursor.u32() : 0;
    return chunked(cursor, dims, plainEdges, { kind: "single", address: cursor.address(), size, filterMask });
  }
  if (kind !== 2 && kind !== 3 && kind !== 4 && kind !== 5)
    throw cursor.error(`a chunk index has type ${kind}. Expected 1 to 5`);
  cursor.skip(repeatedBytes[kind]);
  return chunked(cursor, dims, plainEdges, { kind: indexKinds[kind], address: cursor.address() });
}

function chunked(cursor: H5Cursor, dims: number[], plainEdges: boolean, index: ChunkIndex): H5Layout {
  const elementSize = dims.pop();
  if (elementSize === undefined || dims.length === 0 || dims.some((dim) => dim === 0)) {
    throw cursor.error(`a chunk has the sizes [${dims}]. Expected at least one, all positive`);
  }
  return { kind: "chunked", chunk: dims, elementSize, plainEdges, index };
}
