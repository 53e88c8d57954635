// Whether any, or all, of bools are true: bytes that are 0 or 1.

// @ts-ignore: decorator
@inline function join(all: bool, a: v128, b: v128): v128 {
  return all ? v128.and(a, b) : v128.or(a, b);
}

// @ts-ignore: decorator
@inline function row(all: bool, p: usize, n: i32): u8 {
  let seen = all ? i8x16.splat(1) : i8x16.splat(0);
  for (; n >= 64; n -= 64) {
    const a = join(all, v128.load(p), v128.load(p, 16));
    const b = join(all, v128.load(p, 32), v128.load(p, 48));
    seen = join(all, seen, join(all, a, b));
    p += 64;
  }
  let r: u8 = all ? <u8>i8x16.all_true(seen) : <u8>v128.any_true(seen);
  for (; n > 0; n--) {
    r = all ? r & load<u8>(p) : r | load<u8>(p);
    p++;
  }
  return r;
}

// @ts-ignore: decorator
@inline function columns(all: bool, p: usize, n: i32, inner: i32, y: usize): void {
  memory.fill(y, all ? 1 : 0, inner);
  for (let i = 0; i < n; i++) {
    let j = 0;
    for (; j + 16 <= inner; j += 16) {
      v128.store(y + <usize>j, join(all, v128.load(y + <usize>j), v128.load(p + <usize>j)));
    }
    for (; j < inner; j++) {
      const q = y + <usize>j;
      const x = load<u8>(p + <usize>j);
      store<u8>(q, all ? load<u8>(q) & x : load<u8>(q) | x);
    }
    p += inner;
  }
}

/** y[outer, inner] = "and" (all) or "or" over n of x[outer, n, inner]. */
export function reduceBools(all: i32, x: usize, y: usize, outer: i32, n: i32, inner: i32): void {
  for (let o = 0; o < outer; o++) {
    if (inner == 1) store<u8>(y, all ? row(true, x, n) : row(false, x, n));
    else if (all) columns(true, x, n, inner, y);
    else columns(false, x, n, inner, y);
    x += <usize>n * <usize>inner;
    y += inner;
  }
}
