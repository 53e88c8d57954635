// Reductions of a float32 array seen as [outer, n, inner] over its middle axis.
import { extremeColumns, extremeRow } from "./extreme";

export const SUM: i32 = 0;
export const MAX: i32 = 1;
export const MIN: i32 = 2;

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

function productRow(p: usize, n: i32): f32 {
  let a = f32x4.splat(1);
  let b = a;
  while (n >= 8) {
    a = f32x4.mul(a, v128.load(p));
    b = f32x4.mul(b, v128.load(p, 16));
    p += 32;
    n -= 8;
  }
  a = f32x4.mul(a, b);
  a = f32x4.mul(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  let r = f32x4.extract_lane(a, 0) * f32x4.extract_lane(a, 1);
  while (n > 0) {
    r *= load<f32>(p);
    p += 4;
    n--;
  }
  return r;
}

function productColumns(p: usize, n: i32, inner: i32, y: usize): void {
  const pitch = <usize>inner << 2;
  let j = 0;
  for (; j + 8 <= inner; j += 8) {
    let a = f32x4.splat(1);
    let b = a;
    let q = p + (<usize>j << 2);
    for (let i = 0; i < n; i++) {
      a = f32x4.mul(a, v128.load(q));
      b = f32x4.mul(b, v128.load(q, 16));
      q += pitch;
    }
    v128.store(y, a);
    v128.store(y, b, 16);
    y += 32;
  }
  for (; j < inner; j++) {
    let r: f32 = 1;
    let q = p + (<usize>j << 2);
    for (let i = 0; i < n; i++) {
      r *= load<f32>(q);
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

/** y[outer, inner] = op over n of x[outer, n, inner]. `ws`: 8 * inner bytes, for sums. */
export function reduce(op: i32, x: usize, y: usize, outer: i32, n: i32, inner: i32, ws: usize): void {
  const block = <usize>n * <usize>inner << 2;
  for (let o = 0; o < outer; o++) {
    if (op == SUM) {
      if (inner == 1) store<f32>(y, <f32>sumRow(x, n));
      else sumColumns(x, n, inner, y, ws);
    } else if (op == MAX || op == MIN) {
      if (inner == 1) store<f32>(y, extremeRow(op == MIN, x, n));
      else extremeColumns(op == MIN, x, n, inner, y);
    } else if (inner == 1) store<f32>(y, productRow(x, n));
    else productColumns(x, n, inner, y);
    x += block;
    y += <usize>inner << 2;
  }
}
