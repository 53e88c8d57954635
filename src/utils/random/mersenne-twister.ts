import { MT19937 } from "./mt19937.js";
import { shuffleWith, type Shuffleable } from "./shuffle.js";
import { entropyWords, toWords } from "./words.js";

/** The generator of Python's `random` module: after the same integer seed it gives the same numbers. */
export class MersenneTwister {
  readonly #bits = new MT19937();

  /** Without a seed the stream starts from the platform's entropy. */
  constructor(seed?: number | bigint) {
    this.seed(seed);
  }

  /** Restarts the stream; the sign of the seed is ignored. Throws TypeError unless the seed is an integer. */
  seed(seed?: number | bigint): void {
    if (seed === undefined) this.#bits.seedWords(entropyWords(8));
    else this.#bits.seedWords(toWords(seed < 0 ? -seed : seed, "seed"));
  }

  /** A uniform number of [0, 1). */
  random(): number {
    return this.#bits.nextDouble();
  }

  /** A uniform integer of `count` bits, 0 to 53. */
  getrandbits(count: number): number {
    if (!Number.isInteger(count) || count < 0 || count > 53) {
      throw new RangeError(`getrandbits: count must be an integer from 0 to 53. Received: ${count}.`);
    }
    if (count === 0) return 0;
    if (count <= 32) return this.#bits.next32() >>> (32 - count);
    const low = this.#bits.next32();
    return (this.#bits.next32() >>> (64 - count)) * 0x100000000 + low;
  }

  /** A uniform integer of [0, limit). */
  #below(limit: number): number {
    const count = bitLength(limit);
    let value = this.getrandbits(count);
    while (value >= limit) value = this.getrandbits(count);
    return value;
  }

  /** A uniform element of `range(start, stop, step)`. Throws RangeError when the range is empty. */
  randrange(start: number, stop: number, step = 1): number {
    const count = Math.ceil((stop - start) / step);
    if (![start, stop, step].every(Number.isSafeInteger) || !(count > 0 && count <= Number.MAX_SAFE_INTEGER)) {
      throw new RangeError(
        `randrange: expected integers that span a range which is not empty. Received: start=${start}, stop=${stop}, step=${step}.`,
      );
    }
    return start + step * this.#below(count);
  }

  /** A uniform integer from `low` to `high`, both included. */
  randint(low: number, high: number): number {
    return this.randrange(low, high + 1);
  }

  /** A uniform number between `low` and `high`. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  /** A uniformly chosen element. Throws RangeError for an empty sequence. */
  choice<T>(values: ArrayLike<T>): T {
    if (values.length === 0) throw new RangeError("choice: expected a sequence that is not empty.");
    return values[this.#below(values.length)]!;
  }

  /** Shuffles an array in place. */
  shuffle(values: Shuffleable): void {
    shuffleWith((last) => this.#below(last + 1), values);
  }

  /** `count` different elements in random order. Throws RangeError when there are fewer. */
  sample<T>(population: ArrayLike<T>, count: number): T[] {
    const size = population.length;
    if (!Number.isInteger(count) || count < 0 || count > size) {
      throw new RangeError(`sample: count must be an integer from 0 to ${size}. Received: ${count}.`);
    }
    // Python copies the population only while that is smaller than a set of the chosen indices; the draws differ.
    const copyLimit = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0);
    const result: T[] = [];
    if (size <= copyLimit) {
      const pool = Array.from(population);
      for (let i = 0; i < count; i++) {
        const j = this.#below(size - i);
        result.push(pool[j]!);
        pool[j] = pool[size - i - 1]!;
      }
      return result;
    }
    const chosen = new Set<number>();
    while (chosen.size < count) {
      const j = this.#below(size);
      if (chosen.has(j)) continue;
      chosen.add(j);
      result.push(population[j]!);
    }
    return result;
  }
}

/** Binary digits of a positive integer below 2^53. */
function bitLength(value: number): number {
  return value < 0x100000000 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 0x100000000));
}
