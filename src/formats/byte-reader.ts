import { FormatError } from "./format-error.js";

/** A cursor over little-endian bytes: every read moves it, and a read past the end throws a FormatError. */
export class ByteReader {
  protected readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    /** Name of what is read, for errors. */
    readonly source: string,
    public position = 0,
    readonly end: number = bytes.length,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!(position >= 0 && position <= end && end <= bytes.length)) {
      throw this.error(`bytes ${position} to ${end} were expected, but there are only ${bytes.length}`);
    }
  }

  get remaining(): number {
    return this.end - this.position;
  }

  error(message: string): FormatError {
    return new FormatError(this.source, message);
  }

  /** Moves on by `length` bytes and returns where they begin. */
  skip(length: number): number {
    const at = this.position;
    if (!(length >= 0 && length <= this.end - at)) {
      throw this.error(`${length} bytes were expected at ${at}, but only ${Math.max(0, this.end - at)} are left`);
    }
    this.position = at + length;
    return at;
  }

  u8(): number {
    return this.view.getUint8(this.skip(1));
  }

  u16(): number {
    return this.view.getUint16(this.skip(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.skip(4), true);
  }

  /** A 64-bit size or offset; past 2^53 it cannot be one of a file. */
  u64(): number {
    return this.uint(8);
  }

  /** An unsigned integer of `width` bytes, 1 to 8. */
  uint(width: number): number {
    const at = this.skip(width);
    let value = 0;
    for (let i = width - 1; i >= 0; i--) value = value * 256 + this.bytes[at + i]!;
    if (value > Number.MAX_SAFE_INTEGER)
      throw this.error(`the integer at ${at} is too large to be a size or an offset`);
    return value;
  }

  /** The next `length` bytes, as a view of the same memory. */
  take(length: number): Uint8Array {
    const at = this.skip(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Throws unless the next bytes spell `signature`. */
  expect(signature: string, what: string): void {
    const at = this.position;
    const found = String.fromCharCode(...this.take(signature.length));
    if (found !== signature) throw this.error(`no ${what} at ${at}: the bytes there do not begin with its signature`);
  }
}
