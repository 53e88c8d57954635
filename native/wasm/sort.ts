// Sorting along rows, by digits (LSD radix sort, stable), short rows by insertion. Words are sorted as uint32 keys that compare as the values do.
// What follows its key around, for the positions, sits above it in a 64-bit word.

export const FLOAT: i32 = 0;
export const INT: i32 = 1;
export const UINT: i32 = 2;
/** Floats in the total order of IEEE 754: -NaN, numbers, -0, 0, numbers, NaN. */
export const TOTAL: i32 = 3;

const SIGN: i32 = 0x80000000;
const INSERTION: i32 = 40;
/** Rows from here on go by three digits of 11 bits, shorter ones by four of 8, whose counters are sooner cleared. */
const WIDE: i32 = 8192;
const COUNTERS: usize = 3 << 13;

/** Bytes of workspace for rows of n. */
export function sortWorkspace(n: i32): usize {
  return (<usize>n << 4) + COUNTERS + 64;
}

/**
 * FLOAT orders NaN last and equals zeros of either sign, so that they keep their order. Exclusive or with `flip` (-1) turns the order around.
 */
// @ts-ignore: decorator
@inline function keys4(x: v128, kind: i32, flip: i32): v128 {
  let key = x;
  if (kind == INT) key = v128.xor(x, i32x4.splat(SIGN));
  if (kind == FLOAT || kind == TOTAL) key = v128.xor(x, v128.or(i32x4.shr_s(x, 31), i32x4.splat(SIGN)));
  if (kind == FLOAT) {
    key = v128.or(key, f32x4.ne(x, x));
    key = v128.bitselect(i32x4.splat(SIGN), key, i32x4.eq(x, i32x4.splat(SIGN)));
  }
  return v128.xor(key, i32x4.splat(flip));
}

// @ts-ignore: decorator
@inline function values4(key: v128, kind: i32, flip: i32): v128 {
  key = v128.xor(key, i32x4.splat(flip));
  if (kind == UINT) return key;
  if (kind == INT) return v128.xor(key, i32x4.splat(SIGN));
  return v128.xor(key, v128.or(v128.not(i32x4.shr_s(key, 31)), i32x4.splat(SIGN)));
}

/** Writes keys over whole vectors, so up to three words more than n. */
function writeKeys(x: usize, n: i32, kind: i32, flip: i32, to: usize): void {
  for (const end = x + (<usize>n << 2); x < end; x += 16) {
    const v = v128.load(x);
    v128.store(to, kind == FLOAT ? keys4(v, FLOAT, flip) : kind == TOTAL ? keys4(v, TOTAL, flip) : kind == INT ? keys4(v, INT, flip) : keys4(v, UINT, flip));
    to += 16;
  }
}

// @ts-ignore: decorator
@inline function insertion<T>(p: usize, n: i32): void {
  const size = sizeof<T>();
  const end = p + <usize>n * size;
  for (let i = p + size; i < end; i += size) {
    const item = load<T>(i);
    let j = i;
    while (j > p && <u32>load<T>(j - size) > <u32>item) {
      store<T>(j, load<T>(j - size));
      j -= size;
    }
    store<T>(j, item);
  }
}

/** Sorts n items at `a` by their low words, with `b` as the other place; returns the place where they are in the end. */
// @ts-ignore: decorator
@inline function radix<T>(a: usize, b: usize, n: i32, counters: usize): usize {
  if (n <= INSERTION) {
    insertion<T>(a, n);
    return a;
  }
  const bits = n >= WIDE ? 11 : 8;
  const digits = n >= WIDE ? 3 : 4;
  const table = <usize>4 << bits;
  const mask: u32 = (1 << bits) - 1;
  const size = sizeof<T>();
  const end = <usize>n * size;
  memory.fill(counters, 0, <usize>digits * table);
  if (digits == 3) {
    for (let i: usize = 0; i < end; i += size) {
      const key = load<u32>(a + i);
      count(counters + (<usize>(key & 2047) << 2));
      count(counters + 8192 + (<usize>((key >> 11) & 2047) << 2));
      count(counters + 16384 + (<usize>(key >> 22) << 2));
    }
  } else {
    for (let i: usize = 0; i < end; i += size) {
      const key = load<u32>(a + i);
      count(counters + (<usize>(key & 255) << 2));
      count(counters + 1024 + (<usize>((key >> 8) & 255) << 2));
      count(counters + 2048 + (<usize>((key >> 16) & 255) << 2));
      count(counters + 3072 + (<usize>(key >> 24) << 2));
    }
  }
  const first = load<u32>(a);
  for (let digit = 0; digit < digits; digit++) {
    const shift = digit * bits;
    // A digit that all keys share changes nothing.
    if (load<i32>(counters + (<usize>((first >> shift) & mask) << 2)) != n) {
      let at = b;
      for (let c = counters; c < counters + table; c += 4) {
        const items = <usize>load<u32>(c) * size;
        store<u32>(c, <u32>at);
        at += items;
      }
      for (let i: usize = 0; i < end; i += size) {
        const item = load<T>(a + i);
        const c = counters + (<usize>((<u32>item >> shift) & mask) << 2);
        const to = <usize>load<u32>(c);
        store<u32>(c, <u32>(to + size));
        store<T>(to, item);
      }
      const sorted = b;
      b = a;
      a = sorted;
    }
    counters += table;
  }
  return a;
}

// @ts-ignore: decorator
@inline function count(p: usize): void {
  store<u32>(p, load<u32>(p) + 1);
}

/** How many of the ascending keys are below `key`. */
function below(keys: usize, n: i32, key: u32): i32 {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(keys + (<usize>middle << 2)) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What keys forget, the sign of zero and the bits of NaN, comes from the row again, in its order. */
function restore(x: usize, y: usize, n: i32, keys: usize, flip: i32): void {
  let zero = y + (<usize>below(keys, n, SIGN ^ flip) << 2);
  let nan = y + (<usize>below(keys, n, -1 ^ flip) << 2);
  for (const end = x + (<usize>n << 2); x < end; x += 4) {
    const b = load<i32>(x);
    if (b << 1 == 0) {
      store<i32>(zero, b);
      zero += 4;
    } else if ((b & 0x7fffffff) > 0x7f800000) {
      store<i32>(nan, b);
      nan += 4;
    }
  }
}

/** Sorts each of `rows` rows of n words from x to y. */
export function sortRows(x: usize, y: usize, rows: i32, n: i32, kind: i32, flip: i32, ws: usize): void {
  const counters = ws;
  const a = ws + COUNTERS;
  const b = a + (<usize>(n + 4) << 2);
  const size = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    writeKeys(x, n, kind, flip, a);
    const keys = radix<u32>(a, b, n, counters);
    let odd = i32x4.splat(0);
    let i: usize = 0;
    for (; i + 16 <= size; i += 16) {
      const key = v128.load(keys + i);
      odd = v128.or(odd, v128.or(i32x4.eq(key, i32x4.splat(SIGN ^ flip)), i32x4.eq(key, i32x4.splat(-1 ^ flip))));
      v128.store(y + i, values4(key, kind, flip));
    }
    for (; i < size; i += 4) {
      const key = v128.load32_splat(keys + i);
      odd = v128.or(odd, v128.or(i32x4.eq(key, i32x4.splat(SIGN ^ flip)), i32x4.eq(key, i32x4.splat(-1 ^ flip))));
      v128.store32_lane(y + i, values4(key, kind, flip), 0);
    }
    if (kind == FLOAT && v128.any_true(odd)) restore(x, y, n, keys, flip);
    x += size;
    y += size;
  }
}

/** The sorted row as 64-bit words: a key below, its position above. */
function sortedPairs(x: usize, n: i32, kind: i32, flip: i32, ws: usize): usize {
  const a = ws + COUNTERS;
  const b = a + (<usize>n << 3);
  // The keys lie where the upper half of the pairs will: each is read before its place is written.
  const keys = a + (<usize>n << 2);
  writeKeys(x, n, kind, flip, keys);
  for (let i = 0; i < n; i++) {
    const key = load<u32>(keys + (<usize>i << 2));
    store<u64>(a + (<usize>i << 3), (<u64>i << 32) | <u64>key);
  }
  return radix<u64>(a, b, n, ws);
}

/** y = for each row the int32 positions that sort it. */
export function argSortRows(x: usize, y: usize, rows: i32, n: i32, kind: i32, flip: i32, ws: usize): void {
  for (let r = 0; r < rows; r++) {
    const pairs = sortedPairs(x, n, kind, flip, ws);
    for (let i = 0; i < n; i++) {
      store<i32>(y, load<i32>(pairs + (<usize>i << 3), 4));
      y += 4;
    }
    x += <usize>n << 2;
  }
}

/** Up to this many, the largest are kept in order while the row passes by. */
const FEW: i32 = 32;

/** The k largest of each row, largest first and equal ones in their order, and their positions. Floats go by TOTAL. */
export function topRows(x: usize, values: usize, places: usize, rows: i32, n: i32, k: i32, kind: i32, ws: usize): void {
  for (let r = 0; r < rows; r++) {
    if (k <= FEW) topFew(x, n, k, kind, ws, places);
    else {
      const pairs = sortedPairs(x, n, kind, -1, ws);
      for (let i = 0; i < k; i++) store<i32>(places + (<usize>i << 2), load<i32>(pairs + (<usize>i << 3), 4));
    }
    for (let i = 0; i < k; i++) {
      store<i32>(values, load<i32>(x + (<usize>load<i32>(places) << 2)));
      values += 4;
      places += 4;
    }
    x += <usize>n << 2;
  }
}

// @ts-ignore: decorator
@inline function signedKeys(x: v128, kind: i32): v128 {
  if (kind == INT) return x;
  if (kind == UINT) return v128.xor(x, i32x4.splat(SIGN));
  return v128.xor(x, v128.and(i32x4.shr_s(x, 31), i32x4.splat(0x7fffffff)));
}

/** Positions of the k largest; `best` holds as many keys, in falling order. */
function topFew(x: usize, n: i32, k: i32, kind: i32, best: usize, places: usize): void {
  if (k == 0) return;
  const last = best + (<usize>(k - 1) << 2);
  let filled = 0;
  for (let i = 0; i < n; i += 4) {
    const v = signedKeys(v128.load(x + (<usize>i << 2)), kind);
    if (filled == k && !v128.any_true(i32x4.gt_s(v, v128.load32_splat(last)))) continue;
    const end = min(4, n - i);
    for (let j = 0; j < end; j++) {
      const word = v128.load32_splat(x + (<usize>(i + j) << 2));
      const key = i32x4.extract_lane(signedKeys(word, kind), 0);
      if (filled == k && key <= load<i32>(last)) continue;
      if (filled < k) filled++;
      let at = <usize>(filled - 1) << 2;
      while (at > 0 && load<i32>(best + at - 4) < key) {
        store<i32>(best + at, load<i32>(best + at - 4));
        store<i32>(places + at, load<i32>(places + at - 4));
        at -= 4;
      }
      store<i32>(best + at, key);
      store<i32>(places + at, i + j);
    }
  }
}
