// What an instruction of a chain does to four elements. Inlined with a constant opcode, a function shrinks to that opcode's line.
import * as math from "./math";
import * as op from "./opcodes";
import { maxNaN, minNaN } from "./simd";

// @ts-ignore: decorator
@inline function c(x: f32): v128 {
  return f32x4.splat(x);
}

// @ts-ignore: decorator
@inline function sign(x: v128): v128 {
  const one = v128.or(v128.and(x, i32x4.splat(0x80000000)), c(1));
  return v128.bitselect(one, x, v128.or(f32x4.lt(x, c(0)), f32x4.gt(x, c(0))));
}

/** float32 to bfloat16 bits, to nearest even; NaN stays a quiet NaN. */
// @ts-ignore: decorator
@inline function toBfloat16(x: v128): v128 {
  const odd = v128.and(i32x4.shr_u(x, 16), i32x4.splat(1));
  const rounded = i32x4.shr_u(i32x4.add(i32x4.add(x, i32x4.splat(0x7fff)), odd), 16);
  const nan = v128.or(v128.and(i32x4.shr_u(x, 16), i32x4.splat(0x8000)), i32x4.splat(0x7fc0));
  return v128.bitselect(rounded, nan, f32x4.eq(x, x));
}

/** float16 bits (in words) to float32: shift into place, then scale by 2^112, which also normalises denormals. */
// @ts-ignore: decorator
@inline function fromFloat16(h: v128): v128 {
  const em = i32x4.shl(v128.and(h, i32x4.splat(0x7fff)), 13);
  const f = f32x4.mul(em, i32x4.splat(0x77800000));
  const special = i32x4.ge_s(em, i32x4.splat(0x0f800000));
  return v128.or(v128.or(f, v128.and(special, i32x4.splat(0x7f800000))), i32x4.shl(v128.and(h, i32x4.splat(0x8000)), 16));
}

/** float32 to float16 bits, to nearest even. */
// @ts-ignore: decorator
@inline function toFloat16(x: v128): v128 {
  const a = f32x4.abs(x);
  const odd = v128.and(i32x4.shr_u(a, 13), i32x4.splat(1));
  let h = i32x4.shr_u(i32x4.add(i32x4.add(a, i32x4.splat(0xfff - 0x38000000)), odd), 13);
  const denormal = i32x4.sub(f32x4.add(a, c(0.5)), c(0.5));
  h = v128.bitselect(denormal, h, f32x4.lt(a, c(6.103515625e-5)));
  h = v128.bitselect(i32x4.splat(0x7c00), h, f32x4.ge(a, c(65520)));
  h = v128.bitselect(h, i32x4.splat(0x7e00), f32x4.eq(x, x));
  return v128.or(h, v128.and(i32x4.shr_u(x, 16), i32x4.splat(0x8000)));
}

// @ts-ignore: decorator
@inline export function f1(code: i32, x: v128): v128 {
  if (code == op.NEG) return f32x4.neg(x);
  if (code == op.ABS) return f32x4.abs(x);
  if (code == op.SIGN) return sign(x);
  if (code == op.FLOOR) return f32x4.floor(x);
  if (code == op.CEIL) return f32x4.ceil(x);
  if (code == op.TRUNC) return f32x4.trunc(x);
  if (code == op.ROUND) return f32x4.nearest(x);
  if (code == op.SQRT) return f32x4.sqrt(x);
  if (code == op.RSQRT) return f32x4.div(c(1), f32x4.sqrt(x));
  if (code == op.RECIPROCAL) return f32x4.div(c(1), x);
  if (code == op.SQUARE) return f32x4.mul(x, x);
  if (code == op.NOT) return v128.not(x);
  if (code == op.INEG) return i32x4.neg(x);
  if (code == op.IABS) return i32x4.abs(x);
  if (code == op.I2F) return f32x4.convert_i32x4_s(x);
  if (code == op.U2F) return f32x4.convert_i32x4_u(x);
  if (code == op.F2I) return i32x4.trunc_sat_f32x4_s(x);
  if (code == op.F2U) return i32x4.trunc_sat_f32x4_u(x);
  if (code == op.BF2F) return i32x4.shl(x, 16);
  if (code == op.F2BF) return toBfloat16(x);
  if (code == op.H2F) return fromFloat16(x);
  if (code == op.F2H) return toFloat16(x);
  if (code == op.EXP) return math.exp(x);
  if (code == op.EXPM1) return math.expm1(x);
  if (code == op.LOG) return math.log(x);
  if (code == op.LOG1P) return math.log1p(x);
  if (code == op.SIN) return math.sinCos(x, 0);
  if (code == op.COS) return math.sinCos(x, 1);
  if (code == op.TAN) return math.tan(x);
  if (code == op.TANH) return math.tanh(x);
  if (code == op.SIGMOID) return math.sigmoid(x);
  if (code == op.ERF) return math.erf(x);
  return x;
}

// @ts-ignore: decorator
@inline export function f2(code: i32, x: v128, y: v128): v128 {
  if (code == op.ADD) return f32x4.add(x, y);
  if (code == op.SUB) return f32x4.sub(x, y);
  if (code == op.MUL) return f32x4.mul(x, y);
  if (code == op.DIV) return f32x4.div(x, y);
  if (code == op.MIN) return minNaN(x, y);
  if (code == op.MAX) return maxNaN(x, y);
  if (code == op.EQ) return f32x4.eq(x, y);
  if (code == op.NE) return f32x4.ne(x, y);
  if (code == op.LT) return f32x4.lt(x, y);
  if (code == op.LE) return f32x4.le(x, y);
  if (code == op.AND) return v128.and(x, y);
  if (code == op.OR) return v128.or(x, y);
  if (code == op.XOR) return v128.xor(x, y);
  if (code == op.ANDNOT) return v128.andnot(x, y);
  if (code == op.IADD) return i32x4.add(x, y);
  if (code == op.ISUB) return i32x4.sub(x, y);
  if (code == op.IMUL) return i32x4.mul(x, y);
  if (code == op.IMIN) return i32x4.min_s(x, y);
  if (code == op.IMAX) return i32x4.max_s(x, y);
  if (code == op.UMIN) return i32x4.min_u(x, y);
  if (code == op.UMAX) return i32x4.max_u(x, y);
  if (code == op.IEQ) return i32x4.eq(x, y);
  if (code == op.INE) return i32x4.ne(x, y);
  if (code == op.ILT) return i32x4.lt_s(x, y);
  if (code == op.ILE) return i32x4.le_s(x, y);
  if (code == op.ULT) return i32x4.lt_u(x, y);
  if (code == op.ULE) return i32x4.le_u(x, y);
  return math.pow(x, y);
}
