import { FormatError } from "../format-error.js";
import { lookup3 } from "../lookup3.js";
import { H5File } from "./h5-file.js";
import type { H5Cursor } from "./h5-file.js";

export const h5Signature = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a] as const;

/** Finds the superblock (versions 0 to 3) and returns the file with the address of its root group's header. */
export function readSuperblock(bytes: Uint8Array, source: string): { file: H5File; root: number } {
  const at = findSignature(bytes);
  if (at < 0) throw new FormatError(source, "is not an HDF5 file: its signature is missing");
  const version = bytes[at + 8];
  if (version === undefined || version > 3) {
    throw new FormatError(source, `has an HDF5 superblock of version ${version}. Expected 0 to 3`);
  }
  return version < 2 ? readClassic(bytes, source, at, version) : readModern(bytes, source, at);
}

/** The signature stands at 0, or behind a user block of 512, 1024, 2048... bytes. */
function findSignature(bytes: Uint8Array): number {
  for (let at = 0; at + 8 <= bytes.length; at = at === 0 ? 512 : 2 * at) {
    if (h5Signature.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

function readClassic(bytes: Uint8Array, source: string, at: number, version: number) {
  const sizes = new H5File(bytes, source, at, 8, 8).at(13);
  const file = openWith(bytes, source, at, sizes.u8(), sizes.u8());
  const cursor = file.at(version === 0 ? 24 : 28);
  checkBase(cursor, at);
  cursor.address(); // free space
  checkEnd(file, cursor);
  cursor.address(); // driver
  cursor.skip(file.offsetSize); // the root entry's name
  return { file, root: cursor.definedAddress("the root group") };
}

function readModern(bytes: Uint8Array, source: string, at: number) {
  const sizes = new H5File(bytes, source, at, 8, 8).at(9);
  const file = openWith(bytes, source, at, sizes.u8(), sizes.u8());
  const cursor = file.at(12);
  checkBase(cursor, at);
  cursor.address(); // extension
  checkEnd(file, cursor);
  const root = cursor.definedAddress("the root group");
  if (lookup3(bytes.subarray(at, cursor.position)) !== cursor.u32()) {
    throw new FormatError(source, "has a damaged HDF5 superblock: its checksum does not match");
  }
  return { file, root };
}

function openWith(bytes: Uint8Array, source: string, base: number, offsetSize: number, lengthSize: number): H5File {
  const known = (size: number): boolean => size === 2 || size === 4 || size === 8;
  if (known(offsetSize) && known(lengthSize)) return new H5File(bytes, source, base, offsetSize, lengthSize);
  throw new FormatError(source, `has addresses of ${offsetSize} and sizes of ${lengthSize} bytes. Expected 2, 4 or 8`);
}

function checkBase(cursor: H5Cursor, at: number): void {
  const base = cursor.definedAddress("the file's base");
  if (base !== at && base !== 0) throw cursor.error(`the base address is ${base}, but the superblock lies at ${at}`);
}

function checkEnd(file: H5File, cursor: H5Cursor): void {
  const end = cursor.definedAddress("the file's end");
  if (end > file.bytes.length) {
    throw cursor.error(`is cut off: ${end} bytes are declared, but there are only ${file.bytes.length}`);
  }
}
