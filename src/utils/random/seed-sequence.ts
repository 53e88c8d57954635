import { entropyWords, toWords } from "./words.js";

const POOL = 4;

/** Integers to seed with: one of any size, or several. */
export type Seed = number | bigint | ArrayLike<number | bigint>;

/** NumPy's SeedSequence: hashes seeds of any length into words that initialise a generator (after O'Neill, 2015). */
export class SeedSequence {
  readonly #pool: Uint32Array;

  /** Without a seed the words come from the platform's entropy. */
  constructor(seed?: Seed) {
    const words = Array.from(seed === undefined ? entropyWords(POOL) : seedWords(seed));
    this.#pool = mixEntropy(words);
  }

  /** The first `count` 32-bit words of the sequence. */
  generateState(count: number): Uint32Array {
    const state = new Uint32Array(count);
    const hash = makeHash(0x8b51f9dd, 0x58f38ded);
    for (let i = 0; i < count; i++) state[i] = hash(this.#pool[i % POOL]!);
    return state;
  }
}

function seedWords(seed: Seed): number[] {
  if (typeof seed === "number" || typeof seed === "bigint") return toWords(seed, "seed");
  return Array.from(seed).flatMap((part) => toWords(part, "seed"));
}

function mixEntropy(words: readonly number[]): Uint32Array {
  const hash = makeHash(0x43b0d7e5, 0x931e8875);
  const pool = Uint32Array.from({ length: POOL }, (_, i) => hash(words[i] ?? 0));
  for (let source = 0; source < POOL; source++) {
    for (let target = 0; target < POOL; target++) {
      if (source !== target) pool[target] = mix(pool[target]!, hash(pool[source]!));
    }
  }
  for (const word of words.slice(POOL)) {
    for (let target = 0; target < POOL; target++) pool[target] = mix(pool[target]!, hash(word));
  }
  return pool;
}

/** A hash of words whose multiplier changes with every call. */
function makeHash(initial: number, multiplier: number): (word: number) => number {
  let constant = initial;
  return (word) => {
    const masked = word ^ constant;
    constant = Math.imul(constant, multiplier);
    const product = Math.imul(masked, constant);
    return (product ^ (product >>> 16)) >>> 0;
  };
}

function mix(left: number, right: number): number {
  const difference = Math.imul(0xca01f9dd, left) - Math.imul(0x4973f715, right);
  return (difference ^ (difference >>> 16)) >>> 0;
}
