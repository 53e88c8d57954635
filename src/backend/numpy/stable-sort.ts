/** Rows up to this length are sorted by insertion, longer ones by merging, and from RADIX on by digits. */
const INSERTION = 24;
const RADIX = 2048;
const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;

/** Sorts rows of uint32 keys stably, giving the positions that do it. Reuses its working memory from row to row. */
export class StableSorter {
  readonly positions: Uint32Array;
  private readonly spare: Uint32Array;
  private readonly counts = new Uint32Array(3 * BUCKETS);

  constructor(private readonly length: number) {
    this.positions = new Uint32Array(length);
    this.spare = new Uint32Array(length);
  }

  /** The positions, within the row that begins at `start`, of its keys in ascending order. Valid until the next call. */
  sort(keys: Uint32Array, start: number): Uint32Array {
    const n = this.length;
    for (let i = 0; i < n; i++) this.positions[i] = i;
    if (n >= RADIX) return this.byDigits(keys, start);
    for (let low = 0; low < n; low += INSERTION) this.insert(keys, start, low, Math.min(n, low + INSERTION));
    let from = this.positions;
    let to = this.spare;
    for (let run = INSERTION; run < n; run *= 2) {
      for (let low = 0; low < n; low += 2 * run) {
        merge(keys, start, from, to, low, Math.min(n, low + run), Math.min(n, low + 2 * run));
      }
      [from, to] = [to, from];
    }
    return from;
  }

  private insert(keys: Uint32Array, start: number, low: number, high: number): void {
    const { positions } = this;
    for (let i = low + 1; i < high; i++) {
      const position = positions[i]!;
      const key = keys[start + position]!;
      let j = i - 1;
      for (; j >= low && keys[start + positions[j]!]! > key; j--) positions[j + 1] = positions[j]!;
      positions[j + 1] = position;
    }
  }

  private byDigits(keys: Uint32Array, start: number): Uint32Array {
    const { counts, length: n } = this;
    counts.fill(0);
    for (let i = 0; i < n; i++) {
      const key = keys[start + i]!;
      counts[key & (BUCKETS - 1)]!++;
      counts[BUCKETS + ((key >>> DIGIT_BITS) & (BUCKETS - 1))]!++;
      counts[2 * BUCKETS + (key >>> (2 * DIGIT_BITS))]!++;
    }
    // Keys move with their positions: looking them up would be a cache miss each.
    let from = this.positions;
    let to = this.spare;
    let keysFrom = keys.slice(start, start + n);
    let keysTo = new Uint32Array(n);
    for (let digit = 0; digit < 3; digit++) {
      const shift = digit * DIGIT_BITS;
      const base = digit * BUCKETS;
      // A digit that all keys share changes nothing.
      if (counts[base + ((keys[start]! >>> shift) & (BUCKETS - 1))] === n) continue;
      for (let bucket = 0, at = 0; bucket < BUCKETS; bucket++) {
        const count = counts[base + bucket]!;
        counts[base + bucket] = at;
        at += count;
      }
      for (let i = 0; i < n; i++) {
        const key = keysFrom[i]!;
        const at = counts[base + ((key >>> shift) & (BUCKETS - 1))]!++;
        to[at] = from[i]!;
        keysTo[at] = key;
      }
      [from, to] = [to, from];
      [keysFrom, keysTo] = [keysTo, keysFrom];
    }
    return from;
  }
}

function merge(
  keys: Uint32Array,
  start: number,
  from: Uint32Array,
  to: Uint32Array,
  low: number,
  middle: number,
  high: number,
): void {
  let i = low;
  let j = middle;
  for (let k = low; k < high; k++) {
    const left = i < middle && (j >= high || keys[start + from[i]!]! <= keys[start + from[j]!]!);
    to[k] = left ? from[i++]! : from[j++]!;
  }
}
