import { ByteReader } from "../byte-reader.js";
import { FormatError } from "../format-error.js";
import { lookup3 } from "../lookup3.js";

/** The bytes of an HDF5 file with what is needed to follow its addresses. */
export class H5File {
  constructor(
    readonly bytes: Uint8Array,
    readonly source: string,
    /** Where address 0 lies. */
    readonly base: number,
    /** Bytes of an address. */
    readonly offsetSize: number,
    /** Bytes of a size. */
    readonly lengthSize: number,
  ) {}

  /** A cursor at an address, over `length` bytes or to the end of the file. */
  at(address: number, length?: number): H5Cursor {
    const start = this.base + address;
    if (!(start <= this.bytes.length)) {
      throw new FormatError(this.source, `address ${address} lies behind the end of the file`);
    }
    if (length === undefined) return new H5Cursor(this, start);
    if (!(start + length <= this.bytes.length)) {
      throw new FormatError(this.source, `${length} bytes at address ${address} reach behind the end of the file`);
    }
    return new H5Cursor(this, start, start + length);
  }

  /** A cursor over the bytes of a structure whose last four of `length` bytes are the checksum of those before. */
  checked(address: number, length: number, what: string): H5Cursor {
    const cursor = this.at(address, length);
    const body = cursor.take(length - 4);
    if (lookup3(body) !== cursor.u32()) {
      throw new FormatError(this.source, `the ${what} at address ${address} is damaged: its checksum does not match`);
    }
    return this.at(address, length - 4);
  }
}

/** A cursor that also knows the widths of the file's addresses and sizes. */
export class H5Cursor extends ByteReader {
  constructor(
    readonly file: H5File,
    position: number,
    end?: number,
  ) {
    super(file.bytes, file.source, position, end);
  }

  /** The cursor's place as an address of the file. */
  get here(): number {
    return this.position - this.file.base;
  }

  /** An address; null where the file says "undefined". */
  address(): number | null {
    return this.uintOrAllOnes(this.file.offsetSize);
  }

  /** An address that has to be there. */
  definedAddress(what: string): number {
    const address = this.address();
    if (address === null) throw this.error(`${what} has no address`);
    return address;
  }

  length(): number {
    return this.uint(this.file.lengthSize);
  }

  /** A size; null where the file says "unlimited". */
  lengthOrUnlimited(): number | null {
    return this.uintOrAllOnes(this.file.lengthSize);
  }

  /** A cursor over the next `length` bytes, which this one skips. */
  part(length: number): H5Cursor {
    const at = this.skip(length);
    return new H5Cursor(this.file, at, at + length);
  }

  private uintOrAllOnes(width: number): number | null {
    const at = this.skip(width);
    for (let i = 0; i < width; i++) {
      if (this.bytes[at + i] !== 0xff) {
        this.position = at;
        return this.uint(width);
      }
    }
    return null;
  }
}

/** Throws a FormatError when a structure is reached a second time: files that lead in circles must not hang the reader. */
export class VisitedAddresses {
  private readonly seen = new Set<number>();

  constructor(private readonly file: H5File) {}

  enter(address: number, what: string): void {
    if (this.seen.has(address)) throw new FormatError(this.file.source, `the ${what} at ${address} is used twice`);
    this.seen.add(address);
  }
}
