// Reductions of a float32 array seen as [outer, n, inner] over its middle axis.
import { storeLanes } from "./simd";

export const SUM: i32 = 0;
export const MAX: i32 = 1;
export const MIN: i32 = 2;
export const PROD: i32 = 3;

// @ts-ignore: decorator
@inline function neutral(op: i32): f32 {
  return op == MAX ? -Infinity : op == MIN ? Infinity : op == PROD ? 1 : 0;
}

/** Max and min drop NaN here; `spotNaN` remembers it beside, which keeps the chain of dependent instructions short. */
// @ts-ignore: decorator
@inline function combine(op: i32, a: v128, b: v128): v128 {
  if (op == SUM) return f32x4.add(a, b);
  if (op == MAX) return f32x4.pmax(a, b);
  if (op == MIN) return f32x4.pmin(a, b);
  return f32x4.mul(a, b);
}

// @ts-ignore: decorator
@inline function spotNaN(op: i32, seen: v128, x: v128): v128 {
  return op == MAX || op == MIN ? v128.or(seen, f32x4.ne(x, x)) : seen;
}

// @ts-ignore: decorator
@inline function combine1(op: i32, a: f32, b: f32): f32 {
  if (op == SUM) return a + b;
  if (op == MAX) return max(a, b);
  if (op == MIN) return min(a, b);
  return a * b;
}

/** Sum of adjacent floats: short float32 runs in 16 lanes, gathered in double, so the error does not grow with n. */
function sumRow(p: usize, n: i32): f64 {
  let total = f64x2.splat(0);
  while (n >= 16) {
    let steps = min(n >> 4, 16);
    n -= steps << 4;
    let a = f32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    while (steps > 0) {
      a = f32x4.add(a, v128.load(p));
      b = f32x4.add(b, v128.load(p, 16));
      c = f32x4.add(c, v128.load(p, 32));
      d = f32x4.add(d, v128.load(p, 48));
      p += 64;
      steps--;
    }
    a = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    total = f64x2.add(total, f64x2.add(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(v128.shuffle<f64>(a, a, 1, 0))));
  }
  let sum = f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1);
  while (n > 0) {
    sum += <f64>load<f32>(p);
    p += 4;
    n--;
  }
  return sum;
}

// @ts-ignore: decorator
@inline function foldRow(op: i32, p: usize, n: i32): f32 {
  let a = f32x4.splat(neutral(op));
  let b = a;
  let seen = f32x4.splat(0);
  while (n >= 8) {
    const x = v128.load(p);
    const y = v128.load(p, 16);
    a = combine(op, a, x);
    b = combine(op, b, y);
    seen = spotNaN(op, spotNaN(op, seen, x), y);
    p += 32;
    n -= 8;
  }
  a = combine(op, a, b);
  a = combine(op, a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  let r = combine1(op, f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1));
  while (n > 0) {
    r = combine1(op, r, load<f32>(p));
    p += 4;
    n--;
  }
  return v128.any_true(seen) ? <f32>NaN : r;
}

// @ts-ignore: decorator
@inline function foldColumns(op: i32, p: usize, n: i32, inner: i32, y: usize): void {
  const pitch = <usize>inner << 2;
  const nan = f32x4.splat(NaN);
  let j = 0;
  for (; j + 8 <= inner; j += 8) {
    let a = f32x4.splat(neutral(op));
    let b = a;
    let seenA = f32x4.splat(0);
    let seenB = seenA;
    let q = p + (<usize>j << 2);
    for (let i = 0; i < n; i++) {
      const x = v128.load(q);
      const z = v128.load(q, 16);
      a = combine(op, a, x);
      b = combine(op, b, z);
      seenA = spotNaN(op, seenA, x);
      seenB = spotNaN(op, seenB, z);
      q += pitch;
    }
    v128.store(y, v128.bitselect(nan, a, seenA));
    v128.store(y, v128.bitselect(nan, b, seenB), 16);
    y += 32;
  }
  for (; j < inner; j++) {
    let r = neutral(op);
    let q = p + (<usize>j << 2);
    for (let i = 0; i < n; i++) {
      r = combine1(op, r, load<f32>(q));
      q += pitch;
    }
    store<f32>(y, r);
    y += 4;
  }
}

/** Column sums: 32 rows at a time in float32, then added to doubles in `ws` (8 bytes a column). */
function sumColumns(p: usize, n: i32, inner: i32, y: usize, ws: usize): void {
  const pitch = <usize>inner << 2;
  memory.fill(ws, 0, <usize>inner << 3);
  while (n > 0) {
    const rows = min(n, 32);
    let acc = ws;
    let j = 0;
    for (; j + 16 <= inner; j += 16) {
      let a = f32x4.splat(0);
      let b = a;
      let c = a;
      let d = a;
      let q = p + (<usize>j << 2);
      for (let i = 0; i < rows; i++) {
        a = f32x4.add(a, v128.load(q));
        b = f32x4.add(b, v128.load(q, 16));
        c = f32x4.add(c, v128.load(q, 32));
        d = f32x4.add(d, v128.load(q, 48));
        q += pitch;
      }
      addDoubles(acc, a);
      addDoubles(acc + 32, b);
      addDoubles(acc + 64, c);
      addDoubles(acc + 96, d);
      acc += 128;
    }
    for (; j + 4 <= inner; j += 4) {
      let a = f32x4.splat(0);
      let q = p + (<usize>j << 2);
      for (let i = 0; i < rows; i++) {
        a = f32x4.add(a, v128.load(q));
        q += pitch;
      }
      addDoubles(acc, a);
      acc += 32;
    }
    for (; j < inner; j++) {
      let r: f64 = 0;
      let q = p + (<usize>j << 2);
      for (let i = 0; i < rows; i++) {
        r += <f64>load<f32>(q);
        q += pitch;
      }
      store<f64>(acc, load<f64>(acc) + r);
      acc += 8;
    }
    p += <usize>rows * pitch;
    n -= rows;
  }
  for (let j = 0; j < inner; j++) {
    store<f32>(y, <f32>load<f64>(ws));
    y += 4;
    ws += 8;
  }
}

// @ts-ignore: decorator
@inline function addDoubles(acc: usize, x: v128): void {
  v128.store(acc, f64x2.add(v128.load(acc), f64x2.promote_low_f32x4(x)));
  v128.store(acc, f64x2.add(v128.load(acc, 16), f64x2.promote_low_f32x4(v128.shuffle<f64>(x, x, 1, 0))), 16);
}

// @ts-ignore: decorator
@inline function fold(op: i32, x: usize, y: usize, outer: i32, n: i32, inner: i32): void {
  const block = <usize>n * <usize>inner << 2;
  for (let o = 0; o < outer; o++) {
    if (inner == 1) store<f32>(y, foldRow(op, x, n));
    else foldColumns(op, x, n, inner, y);
    x += block;
    y += <usize>inner << 2;
  }
}

/** y[outer, inner] = op over n of x[outer, n, inner]. `ws`: 8 * inner bytes, for sums. */
export function reduce(op: i32, x: usize, y: usize, outer: i32, n: i32, inner: i32, ws: usize): void {
  if (op == SUM) {
    const block = <usize>n * <usize>inner << 2;
    for (let o = 0; o < outer; o++) {
      if (inner == 1) store<f32>(y, <f32>sumRow(x, n));
      else sumColumns(x, n, inner, y, ws);
      x += block;
      y += <usize>inner << 2;
    }
  } else if (op == MAX) fold(MAX, x, y, outer, n, inner);
  else if (op == MIN) fold(MIN, x, y, outer, n, inner);
  else fold(PROD, x, y, outer, n, inner);
}

/** Index of the first maximum (or minimum) along n, as int32; the first NaN wins. n is at least 1. */
export function argExtreme(smallest: i32, x: usize, y: usize, outer: i32, n: i32, inner: i32): void {
  const pitch = <usize>inner << 2;
  for (let o = 0; o < outer; o++) {
    if (inner == 1) {
      const best = smallest ? foldRow(MIN, x, n) : foldRow(MAX, x, n);
      store<i32>(y, find(x, best, n));
    } else {
      for (let j = 0; j < inner; j += 4) {
        let q = x + (<usize>j << 2);
        let best = v128.load(q);
        let where = i32x4.splat(0);
        for (let i = 1; i < n; i++) {
          q += pitch;
          const v = v128.load(q);
          const better = smallest ? f32x4.lt(v, best) : f32x4.gt(v, best);
          const take = v128.and(v128.or(better, f32x4.ne(v, v)), f32x4.eq(best, best));
          best = v128.bitselect(v, best, take);
          where = v128.bitselect(i32x4.splat(i), where, take);
        }
        storeLanes(y + (<usize>j << 2), where, inner - j);
      }
    }
    x += <usize>n * pitch;
    y += pitch;
  }
}

function find(p: usize, value: f32, n: i32): i32 {
  const nan = value != value;
  const wanted = f32x4.splat(value);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const v = v128.load(p + (<usize>i << 2));
    if (v128.any_true(nan ? f32x4.ne(v, v) : f32x4.eq(v, wanted))) break;
  }
  for (; i < n; i++) {
    const v = load<f32>(p + (<usize>i << 2));
    if (nan ? v != v : v == value) return i;
  }
  return 0;
}
