const WORDS = 624;
const PERIOD = 397;

/** The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998): a stream of uniformly distributed 32-bit words. */
export class MT19937 {
  readonly #state = new Uint32Array(WORDS);
  #position = WORDS;

  /** Restarts the stream from one 32-bit word. */
  seedWord(seed: number): void {
    const state = this.#state;
    state[0] = seed;
    for (let i = 1; i < WORDS; i++) {
      const previous = state[i - 1]! ^ (state[i - 1]! >>> 30);
      state[i] = Math.imul(1812433253, previous) + i;
    }
    this.#position = WORDS;
  }

  /** Restarts the stream from any number (at least one) of 32-bit words. */
  seedWords(key: ArrayLike<number>): void {
    this.seedWord(19650218);
    const state = this.#state;
    let i = 1;
    const advance = () => {
      if (++i === WORDS) {
        state[0] = state[WORDS - 1]!;
        i = 1;
      }
    };
    const mixed = (multiplier: number) => state[i]! ^ Math.imul(state[i - 1]! ^ (state[i - 1]! >>> 30), multiplier);
    for (let step = 0, j = 0; step < Math.max(WORDS, key.length); step++) {
      state[i] = mixed(1664525) + key[j]! + j;
      advance();
      if (++j === key.length) j = 0;
    }
    for (let step = 0; step < WORDS - 1; step++) {
      state[i] = mixed(1566083941) - i;
      advance();
    }
    state[0] = 0x80000000;
  }

  /** The next 32-bit word. */
  next32(): number {
    if (this.#position === WORDS) this.#refill();
    let word = this.#state[this.#position++]!;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** The next number of [0, 1) with 53 random bits. */
  nextDouble(): number {
    const high = this.next32() >>> 5;
    const low = this.next32() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  #refill(): void {
    const state = this.#state;
    for (let i = 0; i < WORDS; i++) {
      const joined = (state[i]! & 0x80000000) | (state[(i + 1) % WORDS]! & 0x7fffffff);
      state[i] = state[(i + PERIOD) % WORDS]! ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    }
    this.#position = 0;
  }
}
