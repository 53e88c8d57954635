// Elementary functions on four floats, within 2 ulp over the whole range. Coefficients are minimax fits (Lawson's iteration on Chebyshev
// nodes); argument reductions are Cody & Waite's and, for huge angles, Payne & Hanek's.
import { madd, madd64 } from "./simd";

// The build turns vector literals into loads from one table (see scripts/build-wasm.mjs).
// @ts-ignore: decorator
@inline function c(x: f32): v128 {
  return f32x4.splat(x);
}
// @ts-ignore: decorator
@inline function d(x: f64): v128 {
  return f64x2.splat(x);
}

// 12582912 = 1.5 * 2^23 added to a float (6755399441055744 = 1.5 * 2^52 to a double) rounds it to an integer in its low mantissa bits.

/** exp(r) - 1 for the reduced r = x - n ln2, where t = n + 1.5 * 2^23. */
// @ts-ignore: decorator
@inline function expReduced(x: v128, t: v128): v128 {
  const n = f32x4.sub(t, c(12582912));
  const head = f32x4.sub(x, f32x4.mul(n, c(0.693359375)));
  const r = f32x4.add(head, f32x4.mul(n, c(2.12194440e-4)));
  return f32x4.add(r, expTail(r));
}

/** exp(r) - 1 - r. */
// @ts-ignore: decorator
@inline function expTail(r: v128): v128 {
  let p = madd(r, c(0.0013814570847898722), c(0.008368730545043945));
  p = madd(r, p, c(0.04166838899254799));
  p = madd(r, p, c(0.1666652113199234));
  p = madd(r, p, c(0.4999999403953552));
  return f32x4.mul(f32x4.mul(r, r), p);
}

/** exp with the roundings of r and of 1 + r carried along: within 0.6 ulp, for what divides by it afterwards. */
// @ts-ignore: decorator
@inline function expClose(x: v128): v128 {
  x = f32x4.pmax(f32x4.pmin(x, c(89)), c(-104));
  const t = expSteps(x);
  const n = f32x4.sub(t, c(12582912));
  const head = f32x4.sub(x, f32x4.mul(n, c(0.693359375)));
  const tail = f32x4.mul(n, c(2.12194440e-4));
  const r = f32x4.add(head, tail);
  const lost = f32x4.add(f32x4.sub(head, r), tail);
  const y = f32x4.add(c(1), r);
  const low = f32x4.add(f32x4.add(f32x4.sub(c(1), y), r), lost);
  return scale(f32x4.add(y, f32x4.add(low, expTail(r))), t);
}

// @ts-ignore: decorator
@inline function pow2(n: v128): v128 {
  return i32x4.shl(i32x4.add(n, i32x4.splat(127)), 23);
}

/** v * 2^n with the power split in two, so results reach down to the denormals and up to infinity. */
// @ts-ignore: decorator
@inline function scale(v: v128, t: v128): v128 {
  const n = i32x4.sub(t, i32x4.splat(0x4b400000));
  const half = i32x4.shr_s(n, 1);
  return f32x4.mul(f32x4.mul(v, pow2(half)), pow2(i32x4.sub(n, half)));
}

// @ts-ignore: decorator
@inline function expSteps(x: v128): v128 {
  return f32x4.add(f32x4.mul(x, c(1.44269504088896341)), c(12582912));
}

// @ts-ignore: decorator
@inline export function exp(x: v128): v128 {
  x = f32x4.pmax(f32x4.pmin(x, c(89)), c(-104));
  const t = expSteps(x);
  return scale(f32x4.add(c(1), expReduced(x, t)), t);
}

// @ts-ignore: decorator
@inline export function expm1(x0: v128): v128 {
  const x = f32x4.pmax(f32x4.pmin(x0, c(89)), c(-30));
  const t = expSteps(x);
  const p = expReduced(x, t);
  // 2^n (1 + p) - 1 as (2^n - 1) + 2^n p loses nothing; past 2^127 the 1 no longer matters.
  const s = pow2(i32x4.sub(t, i32x4.splat(0x4b400000)));
  const r = f32x4.add(f32x4.sub(s, c(1)), f32x4.mul(s, p));
  const big = scale(f32x4.add(c(1), p), t);
  const y = v128.bitselect(big, r, f32x4.gt(x, c(80)));
  return v128.bitselect(x0, y, f32x4.lt(f32x4.abs(x0), c(1e-30)));
}

/** log(1 + f) + k ln2 (+ extra), f in [sqrt(1/2) - 1, sqrt(2) - 1]. */
// @ts-ignore: decorator
@inline function logReduced(f: v128, k: v128, extra: v128): v128 {
  const s = f32x4.div(f, f32x4.add(f, c(2)));
  const z = f32x4.mul(s, s);
  let r = madd(z, c(0.298730731010437), c(0.399774968624115));
  r = f32x4.mul(z, madd(z, r, c(0.6666677594184875)));
  const half = f32x4.mul(f32x4.mul(f, f), c(0.5));
  const low = f32x4.add(madd(s, f32x4.add(half, r), f32x4.mul(k, c(9.0580006145e-6))), extra);
  return f32x4.add(f32x4.mul(k, c(0.693138123)), f32x4.sub(f, f32x4.sub(half, low)));
}

/** Values outside (0, inf): -inf at 0, NaN below, inf and NaN pass. */
// @ts-ignore: decorator
@inline function logEdges(x: v128, y: v128): v128 {
  const bad = v128.bitselect(c(-Infinity), c(NaN), f32x4.eq(x, c(0)));
  y = v128.bitselect(y, bad, f32x4.gt(x, c(0)));
  return v128.bitselect(x, y, f32x4.eq(x, c(Infinity)));
}

// @ts-ignore: decorator
@inline export function log(x: v128): v128 {
  const tiny = f32x4.lt(x, c(1.17549435e-38));
  const bits = v128.bitselect(f32x4.mul(x, c(8388608)), x, tiny);
  const k = i32x4.shr_s(i32x4.sub(bits, i32x4.splat(0x3f3504f3)), 23);
  const m = i32x4.sub(bits, i32x4.shl(k, 23));
  const e = f32x4.convert_i32x4_s(i32x4.add(k, v128.and(tiny, i32x4.splat(-23))));
  return logEdges(x, logReduced(f32x4.sub(m, c(1)), e, c(0)));
}

// @ts-ignore: decorator
@inline export function log1p(x: v128): v128 {
  const u = f32x4.add(x, c(1));
  const k = i32x4.shr_s(i32x4.sub(u, i32x4.splat(0x3f3504f3)), 23);
  const m = i32x4.sub(u, i32x4.shl(k, 23));
  const near = i32x4.eq(k, i32x4.splat(0));
  // What 1 + x rounded away, relative to u.
  const lost = v128.bitselect(f32x4.sub(c(1), f32x4.sub(u, x)), f32x4.sub(x, f32x4.sub(u, c(1))), f32x4.gt(x, c(1)));
  const extra = v128.andnot(f32x4.div(lost, u), near);
  const f = v128.bitselect(x, f32x4.sub(m, c(1)), near);
  const y = logEdges(u, logReduced(f, f32x4.convert_i32x4_s(k), extra));
  return v128.bitselect(x, y, f32x4.lt(f32x4.abs(x), c(1e-15)));
}

// @ts-ignore: decorator
@inline export function tanh(x: v128): v128 {
  const a = f32x4.abs(x);
  const z = f32x4.mul(x, x);
  let p = madd(z, c(-0.005697384011000395), c(0.0206325463950634));
  p = madd(z, p, c(-0.05373779684305191));
  p = madd(z, p, c(0.13331420719623566));
  p = madd(z, p, c(-0.3333328068256378));
  const small = madd(f32x4.mul(x, z), p, x);
  const e = exp(f32x4.add(a, a));
  const large = f32x4.sub(c(1), f32x4.div(c(2), f32x4.add(e, c(1))));
  return v128.or(v128.bitselect(small, large, f32x4.lt(a, c(0.625))), v128.and(x, i32x4.splat(0x80000000)));
}

// @ts-ignore: decorator
@inline export function erf(x: v128): v128 {
  const a = f32x4.abs(x);
  const z = f32x4.mul(x, x);
  let p = madd(z, c(8.316817547893152e-5), c(-0.0008130024652928114));
  p = madd(z, p, c(0.005199907813221216));
  p = madd(z, p, c(-0.026858942583203316));
  p = madd(z, p, c(0.11283687502145767));
  p = madd(z, p, c(-0.37612631916999817));
  p = madd(z, p, c(0.12837916612625122));
  const small = madd(x, p, x);
  // 1 - exp(log erfc): past 3.93 the result is 1.
  const b = f32x4.pmin(a, c(4));
  let q = madd(b, c(0.00019718165276572108), c(-0.0030556069687008858));
  q = madd(b, q, c(0.02227708511054516));
  q = madd(b, q, c(-0.10403735190629959));
  q = madd(b, q, c(-0.63705974817276));
  q = madd(b, q, c(-1.1277495622634888));
  q = madd(b, q, c(-0.00017749547259882092));
  const large = f32x4.sub(c(1), exp(q));
  return v128.or(v128.bitselect(small, large, f32x4.lt(a, c(0.93))), v128.and(x, i32x4.splat(0x80000000)));
}

const ANGLE_LIMIT: f32 = 8388608;

// @ts-ignore: decorator
@inline function quarterTurns(x: v128): v128 {
  return f64x2.add(f64x2.mul(x, d(0.63661977236758134308)), d(6755399441055744));
}

/** x - n pi/2 on doubles; pi/2 is split so that n times its head is exact. */
// @ts-ignore: decorator
@inline function angleLeft(x: v128, t: v128): v128 {
  const n = f64x2.sub(t, d(6755399441055744));
  return f64x2.sub(f64x2.sub(x, f64x2.mul(n, d(1.5707963109016418))), f64x2.mul(n, d(1.5893254773528197e-8)));
}

// @ts-ignore: decorator
@inline function high(x: v128): v128 {
  return v128.shuffle<f64>(x, x, 1, 0);
}

// @ts-ignore: decorator
@inline function join(lo: v128, hi: v128): v128 {
  return v128.shuffle<f64>(f32x4.demote_f64x2_zero(lo), f32x4.demote_f64x2_zero(hi), 0, 2);
}

// @ts-ignore: decorator
@inline function shareOf(part: v128, e: v128): v128 {
  return f64x2.div(f64x2.promote_low_f32x4(part), f64x2.add(d(1), f64x2.promote_low_f32x4(e)));
}

// @ts-ignore: decorator
@inline export function sigmoid(x: v128): v128 {
  const e = expClose(f32x4.neg(f32x4.abs(x)));
  const part = v128.bitselect(e, c(1), f32x4.lt(x, c(0)));
  return join(shareOf(part, e), shareOf(high(part), high(e)));
}

/** sin (shift 0) or cos (shift 1) of four angles. */
// @ts-ignore: decorator
@inline export function sinCos(x: v128, shift: i32): v128 {
  const x0 = f64x2.promote_low_f32x4(x);
  const x1 = f64x2.promote_low_f32x4(high(x));
  const t0 = quarterTurns(x0);
  const t1 = quarterTurns(x1);
  const r = join(angleLeft(x0, t0), angleLeft(x1, t1));
  const q = i32x4.add(v128.shuffle<i32>(t0, t1, 0, 2, 4, 6), i32x4.splat(shift));
  const z = f32x4.mul(r, r);
  let s = madd(z, c(-0.0001951463200384751), c(0.008332155644893646));
  s = madd(z, s, c(-0.16666655242443085));
  s = madd(f32x4.mul(r, z), s, r);
  let k = madd(z, c(2.443241282890085e-5), c(-0.0013887309469282627));
  k = madd(z, k, c(0.04166664555668831));
  k = f32x4.add(f32x4.sub(c(1), f32x4.mul(z, c(0.5))), f32x4.mul(f32x4.mul(z, z), k));
  const odd = i32x4.eq(v128.and(q, i32x4.splat(1)), i32x4.splat(1));
  let y = v128.bitselect(k, s, odd);
  y = v128.xor(y, i32x4.shl(v128.and(q, i32x4.splat(2)), 30));
  // Keeps the sign of zero.
  if (shift == 0) y = v128.bitselect(x, y, f32x4.eq(x, c(0)));
  return patchHuge(x, y, shift);
}

// @ts-ignore: decorator
@inline function tan64(r: v128, t: v128): v128 {
  const z = f64x2.mul(r, r);
  let p = madd64(z, d(0.004387077370036101), d(6.82020621037803e-5));
  p = madd64(z, p, d(0.010852180539800135));
  p = madd64(z, p, d(0.021276057637693604));
  p = madd64(z, p, d(0.0540610664319516));
  p = madd64(z, p, d(0.133326535301925));
  p = madd64(z, p, d(0.33333350029612374));
  const y = madd64(f64x2.mul(r, z), p, r);
  const odd = i64x2.eq(v128.and(t, i64x2.splat(1)), i64x2.splat(1));
  return v128.bitselect(f64x2.div(d(-1), y), y, odd);
}

// @ts-ignore: decorator
@inline export function tan(x: v128): v128 {
  const x0 = f64x2.promote_low_f32x4(x);
  const x1 = f64x2.promote_low_f32x4(high(x));
  const t0 = quarterTurns(x0);
  const t1 = quarterTurns(x1);
  let y = join(tan64(angleLeft(x0, t0), t0), tan64(angleLeft(x1, t1), t1));
  y = v128.bitselect(x, y, f32x4.eq(x, c(0)));
  return patchHuge(x, y, 2);
}

// @ts-ignore: decorator
@inline function patchHuge(x: v128, y: v128, kind: i32): v128 {
  const fine = f32x4.lt(f32x4.abs(x), c(8388608));
  if (i32x4.all_true(fine)) return y;
  return patchLanes(x, y, kind);
}

function patchLanes(x: v128, y: v128, kind: i32): v128 {
  if (!(f32.abs(f32x4.extract_lane(x, 0)) < ANGLE_LIMIT)) y = f32x4.replace_lane(y, 0, hugeAngle(f32x4.extract_lane(x, 0), kind));
  if (!(f32.abs(f32x4.extract_lane(x, 1)) < ANGLE_LIMIT)) y = f32x4.replace_lane(y, 1, hugeAngle(f32x4.extract_lane(x, 1), kind));
  if (!(f32.abs(f32x4.extract_lane(x, 2)) < ANGLE_LIMIT)) y = f32x4.replace_lane(y, 2, hugeAngle(f32x4.extract_lane(x, 2), kind));
  if (!(f32.abs(f32x4.extract_lane(x, 3)) < ANGLE_LIMIT)) y = f32x4.replace_lane(y, 3, hugeAngle(f32x4.extract_lane(x, 3), kind));
  return y;
}

/** Bits of 2/pi after a zero word, most significant first. */
const TWO_OVER_PI = memory.data<u32>([0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab]);

/** 32 bits of 2/pi from bit `at` on (bit 32 is the first after the point). */
function bitsOfTwoOverPi(at: i32): u64 {
  const word = TWO_OVER_PI + ((<usize>at >> 5) << 2);
  const pair = (<u64>load<u32>(word) << 32) | <u64>load<u32>(word, 4);
  return (pair >> <u64>(32 - (at & 31))) & 0xffffffff;
}

/** sin (0), cos (1) or tan (2) of |x| >= 2^23 by Payne & Hanek: only the bits of 2/pi that matter modulo a full turn are multiplied. */
function hugeAngle(x: f32, kind: i32): f32 {
  const bits = reinterpret<u32>(x);
  const exponent = <i32>((bits >> 23) & 255);
  if (exponent == 255) return f32.sub(x, x) * <f32>NaN;
  const mantissa = <u64>((bits & 0x7fffff) | 0x800000);
  const at = exponent - 150 + 30;
  const low = mantissa * bitsOfTwoOverPi(at + 64);
  const mid = mantissa * bitsOfTwoOverPi(at + 32) + (low >> 32);
  const turns = ((mantissa * bitsOfTwoOverPi(at) + (mid >> 32)) << 32) | (mid & 0xffffffff);
  let q = (turns + 0x2000000000000000) >> 62;
  let r = <f64>(<i64>(turns - (q << 62))) * (1.5707963267948966 / 4611686018427387904.0);
  if (bits >> 31) {
    r = -r;
    q = 4 - q;
  }
  if (kind == 1) q += 1;
  const z = r * r;
  const s = r + r * z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 - z * (1.0 / 39916800)))));
  const k = 1 - z * (0.5 - z * (1.0 / 24 - z * (1.0 / 720 - z * (1.0 / 40320 - z * (1.0 / 3628800 - z * (1.0 / 479001600))))));
  if (kind == 2) return <f32>(q & 1 ? -k / s : s / k);
  const y = q & 1 ? k : s;
  return <f32>(q & 2 ? -y : y);
}

/** x^y of two doubles that hold float32 values, x >= 0. */
// @ts-ignore: decorator
@inline function pow64(x: v128, y: v128): v128 {
  const k = i64x2.shr_s(i64x2.sub(x, i64x2.splat(0x3fe6a09e667f3bcd)), 52);
  const m = i64x2.sub(x, i64x2.shl(k, 52));
  const s = f64x2.div(f64x2.sub(m, d(1)), f64x2.add(m, d(1)));
  const z = f64x2.mul(s, s);
  let p = madd64(z, d(0.2829181179846295), d(0.3199044343324784));
  p = madd64(z, p, d(0.41220928331713386));
  p = madd64(z, p, d(0.5770779420595912));
  p = madd64(z, p, d(0.9617966941143482));
  p = madd64(z, p, d(2.8853900817778504));
  const e = f64x2.sub(i64x2.add(k, i64x2.splat(0x4338000000000000)), d(6755399441055744));
  let l = f64x2.add(e, f64x2.mul(s, p));
  l = v128.bitselect(d(-Infinity), l, f64x2.eq(x, d(0)));
  // Infinity and NaN pass.
  l = v128.bitselect(l, x, f64x2.lt(x, d(Infinity)));
  const t = f64x2.pmax(f64x2.pmin(f64x2.mul(y, l), d(200)), d(-200));
  const n = f64x2.add(t, d(6755399441055744));
  const f = f64x2.sub(t, f64x2.sub(n, d(6755399441055744)));
  let r = madd64(f, d(1.5201921053923512e-5), d(0.0001546929112916668));
  r = madd64(f, r, d(0.0013333922565558418));
  r = madd64(f, r, d(0.009618027253703115));
  r = madd64(f, r, d(0.05550410353445948));
  r = madd64(f, r, d(0.24022651198157507));
  r = madd64(f, r, d(0.6931471807284475));
  r = madd64(f, r, d(0.999999999961683));
  // NaN must survive the exponent arithmetic.
  return v128.bitselect(i64x2.add(r, i64x2.shl(n, 52)), t, f64x2.eq(t, t));
}

// @ts-ignore: decorator
@inline export function pow(x: v128, y: v128): v128 {
  const a = f32x4.abs(x);
  const ay = f32x4.abs(y);
  let r = join(
    pow64(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(y)),
    pow64(f64x2.promote_low_f32x4(high(a)), f64x2.promote_low_f32x4(high(y))),
  );
  r = v128.bitselect(a, r, f32x4.eq(y, c(1)));
  const whole = f32x4.eq(f32x4.trunc(y), y);
  const odd = v128.and(v128.and(i32x4.shl(i32x4.trunc_sat_f32x4_s(y), 31), whole), f32x4.lt(ay, c(16777216)));
  r = v128.or(r, v128.and(x, odd));
  const undefinedRoot = v128.andnot(v128.and(f32x4.lt(x, c(0)), f32x4.lt(a, c(Infinity))), whole);
  r = v128.bitselect(c(NaN), r, undefinedRoot);
  const one = v128.or(v128.or(f32x4.eq(y, c(0)), f32x4.eq(x, c(1))), v128.and(f32x4.eq(a, c(1)), f32x4.eq(ay, c(Infinity))));
  return v128.bitselect(c(1), r, one);
}
