import { rotateRight, u64 } from "./u64.js";

const k0 = 0xc3a5c85c97cb3127n;
const k1 = 0xb492b66fbe98f273n;
const k2 = 0x9ae16a3b2f90404fn;

type Pair = readonly [bigint, bigint];
const shiftMix = (x: bigint): bigint => x ^ (x >> 47n);
const mixed = (x: bigint, y: bigint, factor: bigint): bigint => {
  const a = shiftMix(u64((x ^ y) * factor));
  return u64(shiftMix(u64((y ^ a) * factor)) * factor);
};

/** FarmHash's Fingerprint64 of a string's UTF-8 bytes, which stays the same over versions and machines (Pike, 2014). */
export function fingerprint64(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length <= 16) return upTo16(bytes, view);
  const at = (offset: number): bigint => view.getBigUint64(offset < 0 ? bytes.length + offset : offset, true);
  if (bytes.length > 64) return longer(at, bytes.length);
  const factor = k2 + 2n * BigInt(bytes.length);
  return bytes.length <= 32 ? upTo32(at, factor) : upTo64(at, factor);
}

function upTo16(bytes: Uint8Array, view: DataView): bigint {
  const length = BigInt(bytes.length);
  const factor = k2 + 2n * length;
  if (bytes.length >= 8) {
    const a = view.getBigUint64(0, true) + k2;
    const b = view.getBigUint64(bytes.length - 8, true);
    const first = u64(rotateRight(b, 37n) * factor + a);
    return mixed(first, u64((rotateRight(u64(a), 25n) + b) * factor), factor);
  }
  if (bytes.length >= 4) {
    const [a, b] = [view.getUint32(0, true), view.getUint32(bytes.length - 4, true)];
    return mixed(length + (BigInt(a) << 3n), BigInt(b), factor);
  }
  if (bytes.length === 0) return k2;
  const y = bytes[0]! + bytes[bytes.length >> 1]! * 256;
  const z = bytes.length + bytes.at(-1)! * 4;
  return u64(shiftMix(u64(BigInt(y) * k2) ^ u64(BigInt(z) * k0)) * k2);
}

/** Reads 8 bytes, from the end where the offset is negative. */
type Read = (offset: number) => bigint;

function upTo32(at: Read, factor: bigint): bigint {
  const [a, b, c, d] = [u64(at(0) * k1), at(8), u64(at(-8) * factor), u64(at(-16) * k2)];
  const x = u64(rotateRight(u64(a + b), 43n) + rotateRight(c, 30n) + d);
  return mixed(x, u64(a + rotateRight(u64(b + k2), 18n) + c), factor);
}

function upTo64(at: Read, factor: bigint): bigint {
  const [a, b, c, d] = [u64(at(0) * k2), at(8), u64(at(-8) * factor), u64(at(-16) * k2)];
  const y = u64(rotateRight(u64(a + b), 43n) + rotateRight(c, 30n) + d);
  const z = mixed(y, u64(a + rotateRight(u64(b + k2), 18n) + c), factor);
  const [e, f] = [u64(at(16) * factor), at(24)];
  const [g, h] = [u64((y + at(-32)) * factor), u64((z + at(-24)) * factor)];
  const x = u64(rotateRight(u64(e + f), 43n) + rotateRight(g, 30n) + h);
  return mixed(x, u64(e + rotateRight(u64(f + a), 18n) + g), factor);
}

/** 32 bytes stirred into two numbers. */
function stirred(at: Read, from: number, first: bigint, second: bigint): Pair {
  const [w, x, y, z] = [at(from), at(from + 8), at(from + 16), at(from + 24)];
  const a = u64(first + w);
  const b = rotateRight(u64(second + a + z), 21n);
  const c = u64(a + x + y);
  return [u64(c + z), u64(b + rotateRight(c, 44n) + a)];
}

function longer(at: Read, length: number): bigint {
  let y = u64(81n * k1 + 113n);
  let z = u64(shiftMix(u64(y * k2 + 113n)) * k2);
  let x = u64(81n * k2 + at(0));
  let [v, w]: [Pair, Pair] = [
    [0n, 0n],
    [0n, 0n],
  ];
  const stir = (from: number, factor: bigint, last: boolean): void => {
    const weight = last ? 9n : 1n;
    x = u64(rotateRight(u64(x + y + v[0] + at(from + 8)), 37n) * factor);
    y = u64(rotateRight(u64(y + v[1] + at(from + 48)), 42n) * factor);
    x ^= u64(w[1] * weight);
    y = u64(y + v[0] * weight + at(from + 40));
    z = u64(rotateRight(u64(z + w[0]), 33n) * factor);
    v = stirred(at, from, u64(v[1] * factor), u64(x + w[0]));
    w = stirred(at, from + 32, u64(z + w[1]), u64(y + at(from + 16)));
    [z, x] = [x, z];
  };
  const end = Math.floor((length - 1) / 64) * 64;
  for (let from = 0; from < end; from += 64) stir(from, k1, false);
  const factor = u64(k1 + ((z & 255n) << 1n));
  const first = u64(w[0] + BigInt((length - 1) & 63));
  v = [u64(v[0] + first), v[1]];
  w = [u64(first + v[0]), w[1]];
  stir(length - 64, factor, true);
  return mixed(u64(mixed(v[0], w[0], factor) + shiftMix(y) * k0 + z), u64(mixed(v[1], w[1], factor) + x), factor);
}

/** Two fingerprints as one, as TensorFlow joins them; their order counts. */
export function joinFingerprints(first: bigint, second: bigint): bigint {
  const factor = 0xc6a4a7935bd1e995n;
  const joined = u64((first ^ factor ^ u64(shiftMix(u64(second * factor)) * factor)) * factor);
  return shiftMix(u64(shiftMix(joined) * factor));
}
