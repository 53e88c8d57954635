interface Zlib {
  crc32?(bytes: Uint8Array, seed: number): number;
}
interface Host {
  process?: { getBuiltinModule?(name: string): Zlib | undefined };
}

const native = (globalThis as Host).process?.getBuiltinModule?.("node:zlib")?.crc32;

/** CRC-32 of `bytes` as zip and gzip use it; `seed` is the CRC of the bytes before them. */
export const crc32: (bytes: Uint8Array, seed?: number) => number = native
  ? (bytes, seed = 0) => (bytes.length === 0 ? seed : native(bytes, seed)) // zlib forgets the seed when there is nothing to add
  : crc32Portable;

/** `crc32` without native help: eight bytes a step through eight tables (Kounavis and Berry, "slicing-by-8", 2005). */
export function crc32Portable(bytes: Uint8Array, seed = 0): number {
  const tables = (slices ??= makeSlices());
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  let crc = ~seed;
  let i = 0;
  for (const whole = bytes.length - 7; i < whole; i += 8) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc =
      t7[crc & 255]! ^
      t6[(crc >>> 8) & 255]! ^
      t5[(crc >>> 16) & 255]! ^
      t4[crc >>> 24]! ^
      t3[bytes[i + 4]!]! ^
      t2[bytes[i + 5]!]! ^
      t1[bytes[i + 6]!]! ^
      t0[bytes[i + 7]!]!;
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

let slices: readonly Uint32Array[] | undefined;

function makeSlices(): Uint32Array[] {
  const tables = [new Uint32Array(256)];
  for (let n = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
    tables[0]![n] = crc;
  }
  for (let k = 1; k < 8; k++) {
    const before = tables[k - 1]!;
    tables.push(before.map((crc) => tables[0]![crc & 255]! ^ (crc >>> 8)));
  }
  return tables;
}
