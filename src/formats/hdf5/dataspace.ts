import type { Shape } from "../../core/dtype.js";
import type { H5Cursor } from "./h5-file.js";

/** Extent of a dataset or attribute. */
export interface Dataspace {
  /** Size of every axis; empty for a scalar, null for a space without any element. */
  readonly shape: Shape | null;
  /** Sizes the axes may grow to; null where unlimited. */
  readonly maxShape: readonly (number | null)[];
}

const maxRank = 32;

/** Reads a dataspace message (versions 1 and 2). */
export function readDataspace(cursor: H5Cursor): Dataspace {
  const version = cursor.u8();
  if (version !== 1 && version !== 2) throw cursor.error(`a dataspace has version ${version}. Expected 1 or 2`);
  const rank = cursor.u8();
  if (rank > maxRank) throw cursor.error(`a dataspace has ${rank} axes. Expected at most ${maxRank}`);
  const flags = cursor.u8();
  const kind = cursor.skip(version === 1 ? 5 : 1);
  if (version === 2 && cursor.bytes[kind] === 2) return { shape: null, maxShape: [] };
  const shape = Array.from({ length: rank }, () => cursor.length());
  const maxShape = flags & 1 ? Array.from({ length: rank }, () => cursor.lengthOrUnlimited()) : shape;
  return { shape, maxShape };
}
