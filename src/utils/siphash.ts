import { rotateLeft, u64 } from "./u64.js";

/** SipHash-2-4 of a string's UTF-8 bytes: a hash that only those can foresee who know the key (Aumasson and Bernstein, 2012). */
export function sipHash(text: string, [k0, k1]: readonly [bigint, bigint]): bigint {
  let [v0, v1] = [k0 ^ 0x736f6d6570736575n, k1 ^ 0x646f72616e646f6dn];
  let [v2, v3] = [k0 ^ 0x6c7967656e657261n, k1 ^ 0x7465646279746573n];
  const rounds = (count: number): void => {
    for (let i = 0; i < count; i++) {
      v0 = u64(v0 + v1);
      v1 = rotateLeft(v1, 13n) ^ v0;
      v0 = rotateLeft(v0, 32n);
      v2 = u64(v2 + v3);
      v3 = rotateLeft(v3, 16n) ^ v2;
      v0 = u64(v0 + v3);
      v3 = rotateLeft(v3, 21n) ^ v0;
      v2 = u64(v2 + v1);
      v1 = rotateLeft(v1, 17n) ^ v2;
      v2 = rotateLeft(v2, 32n);
    }
  };
  const bytes = new TextEncoder().encode(text);
  // The last block ends with the length.
  const padded = new Uint8Array(8 * (Math.floor(bytes.length / 8) + 1));
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length & 255;
  const view = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += 8) {
    const block = view.getBigUint64(at, true);
    v3 ^= block;
    rounds(2);
    v0 ^= block;
  }
  v2 ^= 0xffn;
  rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}
