/**
 * Threefry-2x32 with 20 rounds (Salmon et al., 2011) over the counters 0 to `count` - 1, written from `at` on: the two
 * words to `first` and `second`, or their exclusive or to `first` when `second` is null.
 */
export function threefry2x32(
  key0: number,
  key1: number,
  count: number,
  first: Uint32Array,
  second: Uint32Array | null,
  at: number,
): void {
  const k0 = key0 | 0;
  const k1 = key1 | 0;
  const k2 = k0 ^ k1 ^ 0x1bd11bda;
  for (let n = 0; n < count; n++) {
    // Counter n is (n >> 32, n mod 2^32).
    let a = (Math.floor(n / 4294967296) + k0) | 0;
    let b = (n + k1) | 0;
    a = (a + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ a;
    a = (a + b) | 0;
    b = ((b << 15) | (b >>> 17)) ^ a;
    a = (a + b) | 0;
    b = ((b << 26) | (b >>> 6)) ^ a;
    a = (a + b) | 0;
    b = ((b << 6) | (b >>> 26)) ^ a;
    a = (a + k1) | 0;
    b = (b + k2 + 1) | 0;
    a = (a + b) | 0;
    b = ((b << 17) | (b >>> 15)) ^ a;
    a = (a + b) | 0;
    b = ((b << 29) | (b >>> 3)) ^ a;
    a = (a + b) | 0;
    b = ((b << 16) | (b >>> 16)) ^ a;
    a = (a + b) | 0;
    b = ((b << 24) | (b >>> 8)) ^ a;
    a = (a + k2) | 0;
    b = (b + k0 + 2) | 0;
    a = (a + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ a;
    a = (a + b) | 0;
    b = ((b << 15) | (b >>> 17)) ^ a;
    a = (a + b) | 0;
    b = ((b << 26) | (b >>> 6)) ^ a;
    a = (a + b) | 0;
    b = ((b << 6) | (b >>> 26)) ^ a;
    a = (a + k0) | 0;
    b = (b + k1 + 3) | 0;
    a = (a + b) | 0;
    b = ((b << 17) | (b >>> 15)) ^ a;
    a = (a + b) | 0;
    b = ((b << 29) | (b >>> 3)) ^ a;
    a = (a + b) | 0;
    b = ((b << 16) | (b >>> 16)) ^ a;
    a = (a + b) | 0;
    b = ((b << 24) | (b >>> 8)) ^ a;
    a = (a + k1) | 0;
    b = (b + k2 + 4) | 0;
    a = (a + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ a;
    a = (a + b) | 0;
    b = ((b << 15) | (b >>> 17)) ^ a;
    a = (a + b) | 0;
    b = ((b << 26) | (b >>> 6)) ^ a;
    a = (a + b) | 0;
    b = ((b << 6) | (b >>> 26)) ^ a;
    a = (a + k2) | 0;
    b = (b + k0 + 5) | 0;
    if (second) {
      first[at + n] = a;
      second[at + n] = b;
    } else first[at + n] = a ^ b;
  }
}
