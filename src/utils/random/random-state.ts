import { MT19937 } from "./mt19937.js";
import { shuffleWith, type Shuffleable } from "./shuffle.js";
import { entropyWords, toWords } from "./words.js";

/** NumPy's legacy generator (`numpy.random.seed` and the functions beside it): equal seeds give equal numbers. */
export class RandomState {
  readonly #bits = new MT19937();
  #spareNormal: number | undefined;

  /** Without a seed the stream starts from the platform's entropy. */
  constructor(seed?: number | readonly number[]) {
    this.seed(seed);
  }

  /** Restarts the stream from one integer of [0, 2^32) or from an array of them; RangeError otherwise. */
  seed(seed?: number | readonly number[]): void {
    this.#spareNormal = undefined;
    if (seed === undefined) {
      this.#bits.seedWords(entropyWords(8));
      return;
    }
    const words = (typeof seed === "number" ? [seed] : seed).map((part) => {
      const [low, ...high] = toWords(part, "seed");
      if (high.length > 0) throw new RangeError(`seed must lie between 0 and 2^32 - 1. Received: ${part}.`);
      return low!;
    });
    if (words.length === 0) throw new RangeError("seed must hold at least one integer.");
    if (typeof seed === "number") this.#bits.seedWord(words[0]!);
    else this.#bits.seedWords(words);
  }

  /** `count` uniform numbers of [0, 1). */
  randomSample(count: number): Float64Array {
    return fill(count, () => this.#bits.nextDouble());
  }

  /** `count` uniform numbers between `low` and `high`. */
  uniform(low: number, high: number, count: number): Float64Array {
    return fill(count, () => low + (high - low) * this.#bits.nextDouble());
  }

  /** `count` normal numbers of mean `mean` and standard deviation `deviation` (Marsaglia's polar method). */
  normal(mean: number, deviation: number, count: number): Float64Array {
    return fill(count, () => mean + deviation * this.#normal());
  }

  /** `count` integers of [low, high), which may span at most 2^32 values. */
  randint(low: number, high: number, count: number): Float64Array {
    const span = high - 1 - low;
    if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || span < 0 || span > 0xffffffff) {
      throw new RangeError(
        `randint: expected integers low < high that span at most 2^32 values. Received: low=${low}, high=${high}.`,
      );
    }
    return fill(count, () => low + this.#upTo(span));
  }

  /** The integers 0 to count - 1 in random order. */
  permutation(count: number): Int32Array {
    const result = Int32Array.from({ length: count }, (_, i) => i);
    this.shuffle(result);
    return result;
  }

  /** Shuffles an array in place. */
  shuffle(values: Shuffleable): void {
    shuffleWith((last) => this.#upTo(last), values);
  }

  /** A uniform integer from 0 to `limit`, below 2^32, by masking and rejection. */
  #upTo(limit: number): number {
    if (limit === 0) return 0;
    const mask = 0xffffffff >>> Math.clz32(limit);
    let value = (this.#bits.next32() & mask) >>> 0;
    while (value > limit) value = (this.#bits.next32() & mask) >>> 0;
    return value;
  }

  #normal(): number {
    if (this.#spareNormal !== undefined) {
      const spare = this.#spareNormal;
      this.#spareNormal = undefined;
      return spare;
    }
    for (;;) {
      const x = 2 * this.#bits.nextDouble() - 1;
      const y = 2 * this.#bits.nextDouble() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      this.#spareNormal = factor * x;
      return factor * y;
    }
  }
}

function fill(count: number, draw: () => number): Float64Array {
  const result = new Float64Array(count);
  for (let i = 0; i < count; i++) result[i] = draw();
  return result;
}
