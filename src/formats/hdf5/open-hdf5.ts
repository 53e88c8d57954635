import { FormatError } from "../format-error.js";
import { GlobalHeap } from "./global-heap.js";
import { H5Group, openObject } from "./h5-nodes.js";
import { readSuperblock } from "./superblock.js";

/**
 * Opens an HDF5 file in memory and returns its root group; nothing but the root is read yet.
 * `source` names the file in errors. Throws a FormatError for what is no HDF5 file or is cut off.
 */
export function openHdf5(bytes: Uint8Array, options: { readonly source?: string } = {}): H5Group {
  const source = options.source ?? "HDF5 file";
  const { file, root } = readSuperblock(bytes, source);
  const group = openObject({ file, heap: new GlobalHeap(file) }, root, "", new Set());
  if (!(group instanceof H5Group)) throw new FormatError(source, "has a root that is no group");
  return group;
}
