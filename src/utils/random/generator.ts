import { PCG64 } from "./pcg64.js";
import type { Seed } from "./seed-sequence.js";
import { shuffleWith, type Shuffleable } from "./shuffle.js";
import { standardNormal } from "./ziggurat.js";

/** NumPy's `Generator` over PCG64: equal seeds give equal numbers. */
export class Generator {
  readonly #bits: PCG64;

  /** Without a seed the stream starts from the platform's entropy. */
  constructor(seed?: Seed) {
    this.#bits = new PCG64(seed);
  }

  /** `count` uniform numbers of [0, 1). */
  random(count: number): Float64Array {
    return this.#fill(count, () => this.#bits.nextDouble());
  }

  /** `count` uniform float32 numbers of [0, 1), from 24 bits each. */
  randomFloat32(count: number): Float32Array {
    const result = new Float32Array(count);
    for (let i = 0; i < count; i++) result[i] = (this.#bits.next32() >>> 8) * 2 ** -24;
    return result;
  }

  /** `count` uniform numbers of [low, high). */
  uniform(low: number, high: number, count: number): Float64Array {
    return this.#fill(count, () => low + (high - low) * this.#bits.nextDouble());
  }

  /** `count` standard normal numbers. */
  standardNormal(count: number): Float64Array {
    return this.#fill(count, () => standardNormal(this.#bits));
  }

  /** `count` normal numbers of mean `mean` and standard deviation `deviation`. */
  normal(mean: number, deviation: number, count: number): Float64Array {
    return this.#fill(count, () => mean + deviation * standardNormal(this.#bits));
  }

  /** `count` uniform integers of [low, high). Throws RangeError when there are none or more than 2^53. */
  integers(low: number, high: number, count: number): Float64Array {
    const last = high - 1 - low;
    if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || last < 0 || !Number.isSafeInteger(last)) {
      throw new RangeError(
        `integers: expected integers low < high that span at most 2^53 values. Received: low=${low}, high=${high}.`,
      );
    }
    return this.#fill(count, () => low + this.#upTo(last));
  }

  /** The integers 0 to count - 1 in random order. */
  permutation(count: number): Int32Array {
    const result = new Int32Array(count);
    for (let i = 0; i < count; i++) result[i] = i;
    this.shuffle(result);
    return result;
  }

  /** Shuffles an array in place. */
  shuffle(values: Shuffleable): void {
    shuffleWith(this.#masked, values);
  }

  /**
   * Shuffles, in place, every vector along one axis of a row-major array on its own (NumPy's `permuted`); without an axis
   * the array is shuffled as one vector.
   */
  permuted(values: Shuffleable, shape: readonly number[], axis?: number): void {
    if (axis === undefined) {
      this.shuffle(values);
      return;
    }
    const position = axis < 0 ? axis + shape.length : axis;
    const length = shape[position];
    if (length === undefined)
      throw new RangeError(`permuted: axis ${axis} is out of bounds for shape [${shape.join(", ")}].`);
    const stride = shape.slice(position + 1).reduce((product, size) => product * size, 1);
    const outer = shape.slice(0, position).reduce((product, size) => product * size, 1);
    for (let block = 0; block < outer; block++) {
      for (let inner = 0; inner < stride; inner++)
        shuffleWith(this.#masked, values, block * length * stride + inner, stride, length);
    }
  }

  #fill(count: number, draw: () => number): Float64Array {
    const result = new Float64Array(count);
    for (let i = 0; i < count; i++) result[i] = draw();
    return result;
  }

  /** A uniform integer from 0 to `last`, with 0 < last < 2^32, by masking and rejection, which is how NumPy shuffles. */
  readonly #masked = (last: number): number => {
    const mask = 0xffffffff >>> Math.clz32(last);
    for (;;) {
      const value = (this.#bits.next32() & mask) >>> 0;
      if (value <= last) return value;
    }
  };

  /** A uniform integer from 0 to `last`, which is below 2^53. */
  #upTo(last: number): number {
    if (last === 0) return 0;
    if (last < 0xffffffff) return this.#upTo32(last);
    return last === 0xffffffff ? this.#bits.next32() : this.#upTo64(last);
  }

  /** Multiply and reject (Lemire, 2019) on 32-bit words, for 0 < last < 2^32 - 1. */
  #upTo32(last: number): number {
    const count = last + 1;
    for (;;) {
      const word = this.#bits.next32();
      // The 64-bit product in two exact halves.
      const upper = (word >>> 16) * count;
      const lower = (word & 0xffff) * count;
      const middle = (upper % 0x10000) * 0x10000 + lower;
      const fraction = middle % 0x100000000;
      if (fraction >= count || fraction >= (0x100000000 - count) % count) {
        return Math.floor(upper / 0x10000) + Math.floor(middle / 0x100000000);
      }
    }
  }

  /** The same on 64-bit words. */
  #upTo64(last: number): number {
    const count = BigInt(last) + 1n;
    for (;;) {
      this.#bits.next64();
      const product = ((BigInt(this.#bits.high) << 32n) | BigInt(this.#bits.low)) * count;
      const fraction = BigInt.asUintN(64, product);
      if (fraction >= count || fraction >= BigInt.asUintN(64, -count) % count) return Number(product >> 64n);
    }
  }
}

/** A generator as NumPy's `default_rng(seed)` makes it. */
export function defaultRng(seed?: Seed): Generator {
  return new Generator(seed);
}
