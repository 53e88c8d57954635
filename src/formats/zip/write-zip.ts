import { ByteWriter } from "../byte-writer.js";
import { crc32 } from "../crc32.js";
import { pathProblem } from "./member-path.js";
import { extraField, full16, full32, signature } from "./zip-format.js";

/** One file of an archive; a list of chunks stands for their concatenation. */
export interface ZipMember {
  readonly name: string;
  readonly data: Uint8Array | readonly Uint8Array[];
}

export interface WriteZipOptions {
  /** Time of every member; by default the zip format's first day, so that equal members give equal archives. */
  readonly modified?: Date;
  /** Write 64-bit records even where 32 bits would do. */
  readonly zip64?: boolean;
}

/** A member's bytes begin at a multiple of this, so that a reader can use arrays in them in place. */
const alignment = 64;
const version = { plain: 20, zip64: 45 } as const;
const utf8Name = 0x0800;
const madeOnUnix = 0x0300;

/**
 * An archive of uncompressed members, in order, as chunks to be written one after another; the members' own chunks are passed
 * through uncopied. Throws a TypeError for names that are unsafe as paths or used twice.
 */
export function writeZip(members: Iterable<ZipMember>, options: WriteZipOptions = {}): Uint8Array[] {
  const stamp = dosTime(options.modified);
  const force = options.zip64 ?? false;
  const chunks: Uint8Array[] = [];
  const central = new ByteWriter(256);
  const names = new Set<string>();
  let position = 0;
  const push = (chunk: Uint8Array): void => {
    if (chunk.length === 0) return;
    chunks.push(chunk);
    position += chunk.length;
  };

  for (const { name, data } of members) {
    const problem = names.has(name) ? "is used twice" : pathProblem(name);
    if (problem) throw new TypeError(`The zip member name ${JSON.stringify(name)} ${problem}.`);
    names.add(name);
    const parts = data instanceof Uint8Array ? [data] : data;
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    const crc = parts.reduce((seed, part) => crc32(part, seed), 0);
    const encoded = new TextEncoder().encode(name);
    const offset = position;
    const wideSize = force || size >= full32;
    const wideOffset = force || offset >= full32;
    const common = (writer: ByteWriter, wide: boolean): ByteWriter =>
      writer
        .u16(wide ? version.zip64 : version.plain)
        .u16(encoded.length === name.length ? 0 : utf8Name)
        .u16(0) // stored
        .u32(stamp)
        .u32(crc)
        .u32(wideSize ? full32 : size)
        .u32(wideSize ? full32 : size)
        .u16(encoded.length);

    const localExtra = new ByteWriter();
    if (wideSize) localExtra.u16(extraField.zip64).u16(16).u64(size).u64(size);
    const dataAt = offset + 30 + encoded.length + localExtra.length;
    let gap = -dataAt & (alignment - 1);
    if (gap > 0 && gap < 4) gap += alignment;
    if (gap > 0)
      localExtra
        .u16(extraField.alignment)
        .u16(gap - 4)
        .zeros(gap - 4);
    push(
      common(new ByteWriter(128).u32(signature.local), wideSize)
        .u16(localExtra.length)
        .bytes(encoded)
        .bytes(localExtra.done())
        .done(),
    );
    parts.forEach(push);

    const extra = new ByteWriter();
    if (wideSize || wideOffset) {
      extra.u16(extraField.zip64).u16((wideSize ? 16 : 0) + (wideOffset ? 8 : 0));
      if (wideSize) extra.u64(size).u64(size);
      if (wideOffset) extra.u64(offset);
    }
    common(central.u32(signature.central).u16(madeOnUnix | version.plain), wideSize || wideOffset)
      .u16(extra.length)
      .u16(0) // comment
      .u16(0) // disk
      .u16(0) // internal attributes
      .u32(0o100644 * 0x10000) // a plain file for those who unpack on Unix
      .u32(wideOffset ? full32 : offset)
      .bytes(encoded)
      .bytes(extra.done());
  }
  const directoryAt = position;
  push(central.done());
  push(endRecords(names.size, directoryAt, central.length, force));
  return chunks;
}

function endRecords(count: number, at: number, size: number, force: boolean): Uint8Array {
  const writer = new ByteWriter(128);
  const wide = force || count >= full16 || at >= full32 || size >= full32;
  if (wide) {
    writer.u32(signature.end64).u64(44).u16(version.zip64).u16(version.zip64).u32(0).u32(0);
    writer.u64(count).u64(count).u64(size).u64(at);
    writer
      .u32(signature.end64Locator)
      .u32(0)
      .u64(at + size)
      .u32(1);
  }
  const entries = wide ? full16 : count;
  writer.u32(signature.end).u16(0).u16(0).u16(entries).u16(entries);
  return writer
    .u32(wide ? full32 : size)
    .u32(wide ? full32 : at)
    .u16(0)
    .done();
}

/** MS-DOS time in the low and date in the high half; local time in steps of two seconds, from 1980. */
function dosTime(date: Date | undefined): number {
  if (!date || date.getFullYear() < 1980) return ((1 << 5) | 1) << 16;
  const days = ((Math.min(date.getFullYear(), 2107) - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
  return ((days << 16) | (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)) >>> 0;
}
