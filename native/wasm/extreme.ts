// Maxima and minima, and where they are. pmax and pmin take one instruction but drop a NaN in their second operand (one in the first stays), so
// sums of what was read go along: a sum is NaN where an element was, or where infinities of both signs met, which a second look tells apart.
import { maxNaN, minNaN, storeLanes } from "./simd";

/** Floats that one search for the place of an extreme goes over. */
const BLOCK: i32 = 2048;

// @ts-ignore: decorator
@inline function pick(smallest: bool, a: v128, b: v128): v128 {
  return smallest ? f32x4.pmin(a, b) : f32x4.pmax(a, b);
}

// @ts-ignore: decorator
@inline function pickNaN(smallest: bool, a: v128, b: v128): v128 {
  return smallest ? minNaN(a, b) : maxNaN(a, b);
}

// @ts-ignore: decorator
@inline function neutral(smallest: bool): f32 {
  return smallest ? Infinity : -Infinity;
}

function holdsNaN(p: usize, n: i32): bool {
  for (; n >= 4; n -= 4) {
    const x = v128.load(p);
    if (v128.any_true(f32x4.ne(x, x))) return true;
    p += 16;
  }
  return false;
}

// @ts-ignore: decorator
@inline function row(smallest: bool, p: usize, n: i32): f32 {
  const start = p;
  const count = n;
  let a = f32x4.splat(neutral(smallest));
  let b = a;
  let c = a;
  let d = a;
  let sa = f32x4.splat(0);
  let sb = sa;
  let sc = sa;
  let sd = sa;
  while (n >= 16) {
    const x = v128.load(p);
    const y = v128.load(p, 16);
    const z = v128.load(p, 32);
    const w = v128.load(p, 48);
    a = pick(smallest, a, x);
    b = pick(smallest, b, y);
    c = pick(smallest, c, z);
    d = pick(smallest, d, w);
    sa = f32x4.add(sa, x);
    sb = f32x4.add(sb, y);
    sc = f32x4.add(sc, z);
    sd = f32x4.add(sd, w);
    p += 64;
    n -= 16;
  }
  while (n >= 4) {
    const x = v128.load(p);
    a = pick(smallest, a, x);
    sa = f32x4.add(sa, x);
    p += 16;
    n -= 4;
  }
  sa = f32x4.add(f32x4.add(sa, sb), f32x4.add(sc, sd));
  if (v128.any_true(f32x4.ne(sa, sa)) && holdsNaN(start, count)) return NaN;
  a = pick(smallest, pick(smallest, a, b), pick(smallest, c, d));
  a = pick(smallest, a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  let r = f32x4.extract_lane(a, 0);
  const other = f32x4.extract_lane(a, 1);
  r = smallest ? min(r, other) : max(r, other);
  while (n > 0) {
    r = smallest ? min(r, load<f32>(p)) : max(r, load<f32>(p));
    p += 4;
    n--;
  }
  return r;
}

/** Extreme of n adjacent floats; NaN when one of them is. */
export function extremeRow(smallest: bool, p: usize, n: i32): f32 {
  return smallest ? row(true, p, n) : row(false, p, n);
}

/** Eight rows at a time, from left to right: memory likes to be read in few long lines, and the results so far stay in the nearest cache. */
// @ts-ignore: decorator
@inline function columns(smallest: bool, p: usize, n: i32, inner: i32, y: usize): void {
  const pitch = <usize>inner << 2;
  for (let j = 0; j < inner; j++) store<f32>(y + (<usize>j << 2), neutral(smallest));
  for (; n > 0; n -= 8) {
    let out = y;
    let q0 = p;
    let j = inner;
    if (n >= 8) {
      for (; j >= 4; j -= 4) {
        const q1 = q0 + pitch;
        const q2 = q1 + pitch;
        const q3 = q2 + pitch;
        const q4 = q3 + pitch;
        const q5 = q4 + pitch;
        const q6 = q5 + pitch;
        const r0 = v128.load(q0);
        const r1 = v128.load(q1);
        const r2 = v128.load(q2);
        const r3 = v128.load(q3);
        const r4 = v128.load(q4);
        const r5 = v128.load(q5);
        const r6 = v128.load(q6);
        const r7 = v128.load(q6 + pitch);
        const before = v128.load(out);
        const s0 = f32x4.add(f32x4.add(r0, r1), f32x4.add(r2, r3));
        const sum = f32x4.add(s0, f32x4.add(f32x4.add(r4, r5), f32x4.add(r6, r7)));
        let best: v128;
        if (v128.any_true(f32x4.ne(sum, sum))) {
          best = pickNaN(smallest, before, r0);
          best = pickNaN(smallest, best, r1);
          best = pickNaN(smallest, best, r2);
          best = pickNaN(smallest, best, r3);
          best = pickNaN(smallest, best, r4);
          best = pickNaN(smallest, best, r5);
          best = pickNaN(smallest, best, r6);
          best = pickNaN(smallest, best, r7);
        } else {
          const first = pick(smallest, pick(smallest, r0, r1), pick(smallest, r2, r3));
          const second = pick(smallest, pick(smallest, r4, r5), pick(smallest, r6, r7));
          best = pick(smallest, before, pick(smallest, first, second));
        }
        v128.store(out, best);
        out += 16;
        q0 += 16;
      }
    }
    const rows = min(n, 8);
    for (; j > 0; j--) {
      let best = load<f32>(out);
      let q = q0;
      for (let i = 0; i < rows; i++) {
        best = smallest ? min(best, load<f32>(q)) : max(best, load<f32>(q));
        q += pitch;
      }
      store<f32>(out, best);
      out += 4;
      q0 += 4;
    }
    p += pitch << 3;
  }
}

/** y[inner] = extremes of the columns of p[n, inner]. */
export function extremeColumns(smallest: bool, p: usize, n: i32, inner: i32, y: usize): void {
  if (smallest) columns(true, p, n, inner, y);
  else columns(false, p, n, inner, y);
}

/** Index of the first maximum (or minimum) along n, as int32; the first NaN wins. n is at least 1. */
export function argExtreme(smallest: i32, x: usize, y: usize, outer: i32, n: i32, inner: i32): void {
  const pitch = <usize>inner << 2;
  for (let o = 0; o < outer; o++) {
    if (inner == 1) {
      store<i32>(y, placeInRow(smallest != 0, x, n));
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

/** Only the block that raised the extreme last is searched for it. */
function placeInRow(smallest: bool, p: usize, n: i32): i32 {
  let best = extremeRow(smallest, p, min(n, BLOCK));
  let from = 0;
  for (let i = BLOCK; i < n && best == best; i += BLOCK) {
    const next = extremeRow(smallest, p + (<usize>i << 2), min(n - i, BLOCK));
    if (smallest ? next >= best : next <= best) continue;
    best = next;
    from = i;
  }
  return from + find(p + (<usize>from << 2), best, min(n - from, BLOCK));
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
