const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

/** Checksum of HDF5's metadata: Bob Jenkins's lookup3 `hashlittle` with initial value 0 (public domain, 2006). */
export function lookup3(bytes: Uint8Array): number {
  let a = (0xdeadbeef + bytes.length) | 0;
  let b = a;
  let c = a;
  if (bytes.length === 0) return c >>> 0;

  // All but the last 1 to 12 bytes go through the reversible mix, those through the final one.
  let at = 0;
  const word = (i: number): number => bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
  for (; bytes.length - at > 12; at += 12) {
    a = (a + word(at)) | 0;
    b = (b + word(at + 4)) | 0;
    c = (c + word(at + 8)) | 0;
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
  }

  const rest = new Uint8Array(12);
  rest.set(bytes.subarray(at));
  const tail = new DataView(rest.buffer);
  a = (a + tail.getInt32(0, true)) | 0;
  b = (b + tail.getInt32(4, true)) | 0;
  c = (c + tail.getInt32(8, true)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c >>> 0;
}
