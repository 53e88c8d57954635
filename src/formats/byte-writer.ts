const utf8 = new TextEncoder();

/** Little-endian bytes written one after another into a buffer that grows; every call returns the writer. */
export class ByteWriter {
  private buffer: Uint8Array;
  private view: DataView;
  length = 0;

  constructor(capacity = 64) {
    this.buffer = new Uint8Array(capacity);
    this.view = new DataView(this.buffer.buffer);
  }

  u8(...values: readonly number[]): this {
    const at = this.grow(values.length);
    for (let i = 0; i < values.length; i++) this.buffer[at + i] = values[i]!;
    return this;
  }

  u16(value: number): this {
    const at = this.grow(2);
    this.view.setUint16(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.grow(4);
    this.view.setUint32(at, value, true);
    return this;
  }

  u64(value: number | bigint): this {
    const at = this.grow(8);
    this.view.setBigUint64(at, BigInt(value), true);
    return this;
  }

  bytes(values: Uint8Array): this {
    const at = this.grow(values.length);
    this.buffer.set(values, at);
    return this;
  }

  /** `text` in UTF-8. */
  text(text: string): this {
    return this.bytes(utf8.encode(text));
  }

  zeros(count: number): this {
    this.grow(count);
    return this;
  }

  /** What has been written, as a view of the writer's memory. */
  done(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  private grow(count: number): number {
    const at = this.length;
    this.length = at + count;
    if (this.length > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.length, 2 * this.buffer.length));
      larger.set(this.buffer.subarray(0, at));
      this.buffer = larger;
      this.view = new DataView(larger.buffer);
    }
    return at;
  }
}
