import { SeedSequence, type Seed } from "./seed-sequence.js";

/*
 * A 128-bit word is held as six little-endian limbs of 24 bits (the last of 8): products of limbs and sums of six of them
 * stay below 2^53, so that float64 arithmetic is exact and no bigint is needed.
 */
const LIMB = 2 ** 24;
const INVERSE = 2 ** -24;
// The multiplier 0x2360ed051fc65da44385df649fccf645.
const M0 = 0xccf645;
const M1 = 0xdf649f;
const M2 = 0xa44385;
const M3 = 0x1fc65d;
const M4 = 0x60ed05;
const M5 = 0x23;

/** The bit generator PCG64 (XSL-RR 128/64; O'Neill, 2014), seeded and advanced as NumPy's. */
export class PCG64 {
  /** Limbs of the state. */
  readonly #state = new Float64Array(6);
  readonly #increment: Float64Array;
  #spare = -1;
  /** Low half of the word that `next64` drew last. */
  low = 0;
  /** High half of the word that `next64` drew last. */
  high = 0;

  /** Without a seed the stream starts from the platform's entropy. */
  constructor(seed?: Seed) {
    // The sequence yields 64-bit words, low half first; a 128-bit number takes its high word first.
    const words = new SeedSequence(seed).generateState(8);
    const [a, b, c, d] = [words[6]!, words[7]!, words[4]!, words[5]!];
    this.#increment = limbs([(a << 1) | 1, (b << 1) | (a >>> 31), (c << 1) | (b >>> 31), (d << 1) | (c >>> 31)]);
    this.#step();
    const start = limbs([words[2]!, words[3]!, words[0]!, words[1]!]);
    let carry = 0;
    for (let i = 0; i < 6; i++) {
      const sum = this.#state[i]! + start[i]! + carry;
      carry = Math.floor(sum * INVERSE);
      this.#state[i] = sum - carry * LIMB;
    }
    this.#state[5]! %= 256;
    this.#step();
  }

  /** state = state * multiplier + increment, modulo 2^128. */
  #step(): void {
    const s = this.#state;
    const c = this.#increment;
    const s0 = s[0]!;
    const s1 = s[1]!;
    const s2 = s[2]!;
    const s3 = s[3]!;
    const s4 = s[4]!;
    let sum = s0 * M0 + c[0]!;
    let carry = Math.floor(sum * INVERSE);
    s[0] = sum - carry * LIMB;
    sum = s0 * M1 + s1 * M0 + c[1]! + carry;
    carry = Math.floor(sum * INVERSE);
    s[1] = sum - carry * LIMB;
    sum = s0 * M2 + s1 * M1 + s2 * M0 + c[2]! + carry;
    carry = Math.floor(sum * INVERSE);
    s[2] = sum - carry * LIMB;
    sum = s0 * M3 + s1 * M2 + s2 * M1 + s3 * M0 + c[3]! + carry;
    carry = Math.floor(sum * INVERSE);
    s[3] = sum - carry * LIMB;
    sum = s0 * M4 + s1 * M3 + s2 * M2 + s3 * M1 + s4 * M0 + c[4]! + carry;
    carry = Math.floor(sum * INVERSE);
    s[4] = sum - carry * LIMB;
    sum = s0 * M5 + s1 * M4 + s2 * M3 + s3 * M2 + s4 * M1 + s[5]! * M0 + c[5]! + carry;
    s[5] = sum - Math.floor(sum * 2 ** -8) * 256;
  }

  /** Draws a 64-bit word into `low` and `high`. */
  next64(): void {
    this.#step();
    const s = this.#state;
    const s1 = s[1]!;
    const s2 = s[2]!;
    const top = s[4]! | (s[5]! << 24);
    const low = (s[0]! | (s1 << 24)) ^ ((s2 >>> 16) | (s[3]! << 8));
    const high = ((s1 >>> 8) | (s2 << 16)) ^ top;
    // Rotate the 64-bit word right by the six highest bits of the state.
    const turn = top >>> 26;
    const shift = turn & 31;
    const a = turn & 32 ? high : low;
    const b = turn & 32 ? low : high;
    this.low = (shift ? (a >>> shift) | (b << (32 - shift)) : a) >>> 0;
    this.high = (shift ? (b >>> shift) | (a << (32 - shift)) : b) >>> 0;
  }

  /** The next 32-bit word: the halves of 64-bit words, low one first. */
  next32(): number {
    if (this.#spare >= 0) {
      const word = this.#spare;
      this.#spare = -1;
      return word;
    }
    this.next64();
    this.#spare = this.high;
    return this.low;
  }

  /** The next number of [0, 1) with 53 random bits. */
  nextDouble(): number {
    this.next64();
    return (this.high * 2097152 + (this.low >>> 11)) * 2 ** -53;
  }
}

/** Limbs of four little-endian 32-bit words. */
function limbs([w0, w1, w2, w3]: readonly [number, number, number, number]): Float64Array {
  const parts = [w0, (w0 >>> 24) | (w1 << 8), (w1 >>> 16) | (w2 << 16), w2 >>> 8, w3].map((part) => part & 0xffffff);
  return Float64Array.from([...parts, w3 >>> 24]);
}
