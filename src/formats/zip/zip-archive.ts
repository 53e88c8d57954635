import { ByteReader } from "../byte-reader.js";
import { crc32 } from "../crc32.js";
import { FormatError } from "../format-error.js";
import { inflate, maxDeflateRatio } from "../inflate.js";
import { pathProblem } from "./member-path.js";
import { extraField, full16, full32, recordSize, signature } from "./zip-format.js";

/** What an archive's directory says about one member; sizes in bytes. */
export interface ZipEntry {
  readonly name: string;
  readonly method: "stored" | "deflated";
  readonly size: number;
  readonly compressedSize: number;
  readonly crc: number;
  readonly offset: number;
}

export interface OpenZipOptions {
  /** Name of the file, for errors. */
  readonly source?: string;
  /** A member larger than this, in bytes, must not expand more than a hundredfold. */
  readonly expansionFloor?: number;
}

const maxExpansion = 100;

/** Members of a zip archive in memory, read on demand. */
export class ZipArchive {
  constructor(
    private readonly bytes: Uint8Array,
    /** Name of the file, for errors. */
    readonly source: string,
    /** Members by name, in the order of the archive's directory. */
    readonly entries: ReadonlyMap<string, ZipEntry>,
  ) {}

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /**
   * Bytes of a member: a view of the archive where it is stored, expanded where it is deflated.
   * Throws a FormatError when there is no such member or its bytes are not those the directory promises.
   */
  async read(name: string): Promise<Uint8Array> {
    const entry = this.entries.get(name);
    if (!entry) {
      throw new FormatError(this.source, `has no member ${JSON.stringify(name)}. Members: ${this.names.join(", ")}`);
    }
    const source = `${this.source}: ${name}`;
    const packed = this.packedBytes(entry, source);
    const data = entry.method === "stored" ? packed : await inflate(packed, "deflate-raw", entry.size, source);
    if (crc32(data) !== entry.crc) throw new FormatError(source, "is damaged: its checksum (CRC-32) does not match");
    return data;
  }

  private packedBytes(entry: ZipEntry, source: string): Uint8Array {
    const reader = new ByteReader(this.bytes, source, entry.offset);
    if (reader.u32() !== signature.local) throw new FormatError(source, `no member begins at ${entry.offset}`);
    reader.skip(22);
    const nameLength = reader.u16();
    const extraLength = reader.u16();
    if (decodeName(reader.take(nameLength), source) !== entry.name) {
      throw new FormatError(source, "the archive's directory and the member disagree about its name");
    }
    reader.skip(extraLength);
    return reader.take(entry.compressedSize);
  }
}

/**
 * Opens a zip archive and checks its directory. Throws a FormatError for what is no archive or is cut off, and for members that are
 * encrypted, compressed by anything but DEFLATE, listed twice, overlapping, named by an unsafe path, or declared implausibly large.
 */
export function openZip(bytes: Uint8Array, options: OpenZipOptions = {}): ZipArchive {
  const source = options.source ?? "zip archive";
  const floor = options.expansionFloor ?? 2 ** 32;
  const directory = findDirectory(bytes, source);
  const reader = new ByteReader(bytes, source, directory.at, directory.at + directory.size);
  const entries = new Map<string, ZipEntry>();
  for (let i = 0; i < directory.count; i++) {
    const entry = readEntry(reader, source);
    if (entries.has(entry.name)) throw new FormatError(source, `lists the member ${JSON.stringify(entry.name)} twice`);
    checkSizes(entry, floor, `${source}: ${entry.name}`);
    entries.set(entry.name, entry);
  }
  checkOverlap([...entries.values()], directory.at, source);
  return new ZipArchive(bytes, source, entries);
}

function findDirectory(bytes: Uint8Array, source: string): { at: number; size: number; count: number } {
  const endAt = findEnd(bytes);
  if (endAt < 0) throw new FormatError(source, "is not a zip archive, or its end is cut off");
  let reader = new ByteReader(bytes, source, endAt + 4);
  const disks = reader.u16() + reader.u16();
  reader.skip(2);
  let count = reader.u16();
  let size = reader.u32();
  let at = reader.u32();
  let recordsAt = endAt;
  if (count === full16 || size === full32 || at === full32) {
    const locatorAt = endAt - recordSize.end64Locator;
    if (locatorAt >= 0) {
      reader = new ByteReader(bytes, source, locatorAt);
      if (reader.u32() === signature.end64Locator) {
        reader.skip(4);
        recordsAt = reader.u64();
        reader = new ByteReader(bytes, source, Math.min(recordsAt, bytes.length));
        if (reader.u32() !== signature.end64) throw reader.error("the zip64 end record is missing");
        reader.skip(28);
        count = reader.u64();
        size = reader.u64();
        at = reader.u64();
      }
    }
  }
  if (disks !== 0) throw new FormatError(source, "is one part of an archive split over several files");
  if (at + size > recordsAt) throw new FormatError(source, "its directory does not lie inside the file");
  if (count * recordSize.central > size)
    throw new FormatError(source, `its directory is too short for ${count} members`);
  return { at, size, count };
}

/** Where the end record begins: the last one whose comment reaches exactly to the end of the file; -1 if none. */
function findEnd(bytes: Uint8Array): number {
  const last = bytes.length - recordSize.end;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    const isEnd = bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 5 && bytes[at + 3] === 6;
    if (isEnd && (bytes[at + 20]! | (bytes[at + 21]! << 8)) === last - at) return at;
  }
  return -1;
}

function readEntry(reader: ByteReader, source: string): ZipEntry {
  if (reader.u32() !== signature.central) throw reader.error("its directory is damaged");
  reader.skip(4);
  const flags = reader.u16();
  const method = reader.u16();
  reader.skip(4);
  const crc = reader.u32();
  let compressedSize = reader.u32();
  let size = reader.u32();
  const nameLength = reader.u16();
  const extraLength = reader.u16();
  const commentLength = reader.u16();
  reader.skip(8);
  let offset = reader.u32();
  const name = decodeName(reader.take(nameLength), source);
  const extra = new ByteReader(reader.take(extraLength), `${source}: ${name}`);
  reader.skip(commentLength);

  while (extra.remaining >= 4) {
    const id = extra.u16();
    const length = extra.u16();
    const next = extra.position + length;
    if (id === extraField.zip64) {
      if (size === full32) size = extra.u64();
      if (compressedSize === full32) compressedSize = extra.u64();
      if (offset === full32) offset = extra.u64();
      break;
    }
    extra.skip(Math.min(length, extra.remaining));
    if (extra.position < next) break;
  }

  const problem = pathProblem(name);
  if (problem) throw new FormatError(source, `the member name ${JSON.stringify(name)} ${problem}`);
  if (flags & 1) throw new FormatError(`${source}: ${name}`, "is encrypted");
  if (method !== 0 && method !== 8) {
    throw new FormatError(
      `${source}: ${name}`,
      `is compressed by method ${method}. Expected 0 (stored) or 8 (deflated)`,
    );
  }
  return { name, method: method === 0 ? "stored" : "deflated", size, compressedSize, crc, offset };
}

function checkSizes({ method, size, compressedSize }: ZipEntry, floor: number, source: string): void {
  if (method === "stored" && size !== compressedSize) {
    throw new FormatError(source, `is stored as it is, yet declares ${size} bytes and holds ${compressedSize}`);
  }
  if (size > compressedSize * maxDeflateRatio || (size > floor && size > compressedSize * maxExpansion)) {
    throw new FormatError(
      source,
      `declares ${size} bytes but holds only ${compressedSize}: refusing a decompression bomb`,
    );
  }
}

/** Members that share bytes would let a small archive expand without limit. */
function checkOverlap(entries: ZipEntry[], directoryAt: number, source: string): void {
  entries.sort((a, b) => a.offset - b.offset);
  entries.forEach((entry, i) => {
    const end = entry.offset + recordSize.local + entry.compressedSize;
    if (end > (entries[i + 1]?.offset ?? directoryAt)) {
      throw new FormatError(
        `${source}: ${entry.name}`,
        "reaches into what follows it: the archive is damaged or cut off",
      );
    }
  });
}

function decodeName(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new FormatError(source, "has a member whose name is not UTF-8", { cause });
  }
}
