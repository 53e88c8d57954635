import { FormatError } from "../format-error.js";
import { inflate } from "../inflate.js";
import type { H5Cursor } from "./h5-file.js";

/** One step of what was done to a chunk before it was stored. */
export interface H5Filter {
  readonly id: number;
  readonly name: string;
  readonly parameters: readonly number[];
}

const filterId = { deflate: 1, shuffle: 2, fletcher32: 3 } as const;
const otherFilters: Readonly<Record<number, string>> = { 4: "szip", 5: "nbit", 6: "scaleoffset", 32000: "lzf" };

/** Reads a filter pipeline message (versions 1 and 2). */
export function readFilters(cursor: H5Cursor): H5Filter[] {
  const version = cursor.u8();
  if (version !== 1 && version !== 2) throw cursor.error(`a filter pipeline has version ${version}. Expected 1 or 2`);
  const count = cursor.u8();
  if (version === 1) cursor.skip(6);
  return Array.from({ length: count }, () => {
    const id = cursor.u16();
    const nameLength = version === 1 || id >= 256 ? cursor.u16() : 0;
    cursor.skip(2); // flags
    const parameterCount = cursor.u16();
    const name = new TextDecoder().decode(cursor.take(nameLength)).replace(/\0.*$/s, "");
    if (version === 1) cursor.skip(-nameLength & 7);
    const parameters = Array.from({ length: parameterCount }, () => cursor.u32());
    if (version === 1 && parameterCount % 2 === 1) cursor.skip(4);
    return { id, name, parameters };
  });
}

/**
 * Undoes the filters on a stored chunk, except those whose bit is set in `mask`; `size` is the length of the plain chunk.
 * Throws a FormatError for damaged bytes and for filters other than deflate, shuffle and fletcher32.
 */
export async function undoFilters(
  stored: Uint8Array,
  filters: readonly H5Filter[],
  mask: number,
  size: number,
  source: string,
): Promise<Uint8Array> {
  const applied = filters.filter((_, i) => i > 31 || (mask & (1 << i)) === 0);
  // fletcher32 appends four bytes: whatever ran after it packed a chunk that much longer.
  let sumsLeft = applied.filter(({ id }) => id === filterId.fletcher32).length;
  let chunk = stored;
  for (const filter of [...applied].reverse()) {
    switch (filter.id) {
      case filterId.deflate:
        chunk = await inflate(chunk, "deflate", size + 4 * sumsLeft, source);
        break;
      case filterId.shuffle:
        chunk = unshuffle(chunk, filter.parameters[0] ?? 1);
        break;
      case filterId.fletcher32:
        chunk = checkFletcher32(chunk, source);
        sumsLeft--;
        break;
      default: {
        const name = otherFilters[filter.id] ?? (filter.name || "unknown");
        throw new FormatError(
          source,
          `is packed by filter ${filter.id} (${name}). Expected deflate (gzip), shuffle or fletcher32`,
        );
      }
    }
  }
  if (chunk.length !== size) throw new FormatError(source, `a chunk has ${chunk.length} bytes. Expected ${size}`);
  return chunk;
}

/** Puts the bytes of every element together again: stored are all first bytes, then all second ones... */
function unshuffle(bytes: Uint8Array, width: number): Uint8Array {
  const count = Math.floor(bytes.length / width);
  if (width < 2 || count < 2) return bytes;
  const out = new Uint8Array(bytes.length);
  for (let i = 0; i < width; i++) {
    const from = i * count;
    for (let j = 0, to = i; j < count; j++, to += width) out[to] = bytes[from + j]!;
  }
  out.set(bytes.subarray(count * width), count * width);
  return out;
}

function checkFletcher32(bytes: Uint8Array, source: string): Uint8Array {
  if (bytes.length < 4) throw new FormatError(source, "a chunk is too short for its checksum");
  const body = bytes.subarray(0, bytes.length - 4);
  const stored = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(body.length, true);
  if (stored !== fletcher32(body))
    throw new FormatError(source, "a chunk is damaged: its checksum (fletcher32) does not match");
  return body;
}

/** Fletcher's checksum over big-endian 16-bit words (J. Fletcher, 1982), an odd last byte counting as a high one. */
export function fletcher32(bytes: Uint8Array): number {
  let sum1 = 0;
  let sum2 = 0;
  const words = bytes.length >> 1;
  for (let i = 0; i < words;) {
    // 360 words cannot overflow 32 bits.
    for (const stop = Math.min(words, i + 360); i < stop; i++) {
      sum1 += (bytes[2 * i]! << 8) | bytes[2 * i + 1]!;
      sum2 += sum1;
    }
    sum1 = fold(sum1);
    sum2 = fold(sum2);
  }
  if (bytes.length & 1) {
    sum1 = fold(sum1 + (bytes[bytes.length - 1]! << 8));
    sum2 = fold(sum2 + sum1);
  }
  return ((fold(sum2) << 16) | fold(sum1)) >>> 0;
}

const fold = (sum: number): number => (sum & 0xffff) + (sum >>> 16);
