// Small vector helpers shared by all kernels. "madd" is fused only in the variant built with relaxed SIMD.

/** a * b + c, rounded once in the FMA variant and twice otherwise. */
// @ts-ignore: decorator
@inline export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(c, f32x4.mul(a, b));
}

/** a * b + c on two doubles. */
// @ts-ignore: decorator
@inline export function madd64(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_madd(a, b, c);
  return f64x2.add(c, f64x2.mul(a, b));
}

/** Sum of the four lanes. */
// @ts-ignore: decorator
@inline export function hsum(a: v128): f32 {
  const t = f32x4.add(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  return f32x4.extract_lane(t, 0) + f32x4.extract_lane(t, 1);
}

/** Maximum that returns NaN when either side is NaN (shorter on x64 than f32x4.max). */
// @ts-ignore: decorator
@inline export function maxNaN(a: v128, b: v128): v128 {
  return v128.bitselect(b, f32x4.pmax(a, b), f32x4.ne(b, b));
}

/** Minimum that returns NaN when either side is NaN. */
// @ts-ignore: decorator
@inline export function minNaN(a: v128, b: v128): v128 {
  return v128.bitselect(b, f32x4.pmin(a, b), f32x4.ne(b, b));
}

// @ts-ignore: decorator
@inline export function roundUp(n: i32, unit: i32): i32 {
  return ((n + unit - 1) / unit) * unit;
}

/** Stores the first `lanes` words of x (all four when there are more). */
// @ts-ignore: decorator
@inline export function storeLanes(p: usize, x: v128, lanes: i32): void {
  if (lanes >= 4) {
    v128.store(p, x);
    return;
  }
  store<i32>(p, i32x4.extract_lane(x, 0));
  if (lanes > 1) store<i32>(p, i32x4.extract_lane(x, 1), 4);
  if (lanes > 2) store<i32>(p, i32x4.extract_lane(x, 2), 8);
}

/** First of a window's taps at start, start + dilation... that is not negative. */
// @ts-ignore: decorator
@inline export function firstTap(start: i32, dilation: i32): i32 {
  return start >= 0 ? 0 : (dilation - 1 - start) / dilation;
}

/** One past the last of those taps that lies before `size`. */
// @ts-ignore: decorator
@inline export function endTap(start: i32, dilation: i32, taps: i32, size: i32): i32 {
  return start >= size ? 0 : min(taps, (size - 1 - start) / dilation + 1);
}
