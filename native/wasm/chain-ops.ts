// What one instruction of a chain does to a block. The helpers are inlined with a constant opcode, so each case becomes its own loop.
import { f1, f2 } from "./chain-values";
import * as op from "./opcodes";

// @ts-ignore: decorator
@inline function unary(code: i32, d: usize, a: usize, bytes: usize): void {
  const end = d + bytes;
  while (d < end) {
    v128.store(d, f1(code, v128.load(a)));
    v128.store(d, f1(code, v128.load(a, 16)), 16);
    d += 32;
    a += 32;
  }
}

// @ts-ignore: decorator
@inline function slowUnary(code: i32, d: usize, a: usize, bytes: usize): void {
  const end = d + bytes;
  while (d < end) {
    v128.store(d, f1(code, v128.load(a)));
    d += 16;
    a += 16;
  }
}

// @ts-ignore: decorator
@inline function binary(code: i32, d: usize, a: usize, b: usize, bytes: usize): void {
  const end = d + bytes;
  while (d < end) {
    v128.store(d, f2(code, v128.load(a), v128.load(b)));
    v128.store(d, f2(code, v128.load(a, 16), v128.load(b, 16)), 16);
    d += 32;
    a += 32;
    b += 32;
  }
}

// @ts-ignore: decorator
@inline function slowBinary(code: i32, d: usize, a: usize, b: usize, bytes: usize): void {
  const end = d + bytes;
  while (d < end) {
    v128.store(d, f2(code, v128.load(a), v128.load(b)));
    d += 16;
    a += 16;
    b += 16;
  }
}

// @ts-ignore: decorator
@inline function ternary(code: i32, d: usize, a: usize, b: usize, e: usize, bytes: usize): void {
  const end = d + bytes;
  while (d < end) {
    const x = v128.load(a);
    const y = v128.load(b);
    const z = v128.load(e);
    v128.store(d, code == op.SELECT ? v128.bitselect(y, z, x) : f32x4.add(f32x4.mul(x, y), z));
    d += 16;
    a += 16;
    b += 16;
    e += 16;
  }
}

// @ts-ignore: decorator
@inline function shiftAll(code: i32, d: usize, a: usize, count: i32, bytes: usize): void {
  const end = d + bytes;
  while (d < end) {
    const x = v128.load(a);
    if (code == op.SHLI) v128.store(d, i32x4.shl(x, count));
    else if (code == op.SHRI) v128.store(d, i32x4.shr_s(x, count));
    else v128.store(d, i32x4.shr_u(x, count));
    d += 16;
    a += 16;
  }
}

/** Counts outside 0..31 shift everything out, as XLA defines it. */
// @ts-ignore: decorator
@inline function shiftEach(code: i32, d: usize, a: usize, b: usize, bytes: usize): void {
  const end = d + bytes;
  while (d < end) {
    const x = load<i32>(a);
    const n = load<i32>(b);
    const inside = <u32>n < 32;
    if (code == op.SHL) store<i32>(d, inside ? x << n : 0);
    else if (code == op.SHR) store<i32>(d, x >> (inside ? n : 31));
    else store<u32>(d, inside ? <u32>x >> n : 0);
    d += 4;
    a += 4;
    b += 4;
  }
}

/** Low bytes of 16 words at a time. */
function store8(d: usize, a: usize, bytes: usize, and: i32): void {
  const end = a + bytes;
  const keep = i32x4.splat(and);
  while (a < end) {
    const lo = i16x8.narrow_i32x4_u(v128.and(v128.load(a), keep), v128.and(v128.load(a, 16), keep));
    const hi = i16x8.narrow_i32x4_u(v128.and(v128.load(a, 32), keep), v128.and(v128.load(a, 48), keep));
    v128.store(d, i8x16.narrow_i16x8_u(lo, hi));
    d += 16;
    a += 64;
  }
}

/** Low halves of 8 words at a time. */
function store16(d: usize, a: usize, bytes: usize): void {
  const end = a + bytes;
  while (a < end) {
    v128.store(d, v128.shuffle<i16>(v128.load(a), v128.load(a, 16), 0, 2, 4, 6, 8, 10, 12, 14));
    d += 16;
    a += 32;
  }
}

/** Runs one instruction; d, a, b, e are addresses of blocks, `count` the raw word b. */
export function execute(code: i32, d: usize, a: usize, b: usize, e: usize, count: i32, bytes: usize): void {
  switch (code) {
    case op.ADD:
      binary(op.ADD, d, a, b, bytes);
      break;
    case op.SUB:
      binary(op.SUB, d, a, b, bytes);
      break;
    case op.MUL:
      binary(op.MUL, d, a, b, bytes);
      break;
    case op.DIV:
      binary(op.DIV, d, a, b, bytes);
      break;
    case op.MIN:
      binary(op.MIN, d, a, b, bytes);
      break;
    case op.MAX:
      binary(op.MAX, d, a, b, bytes);
      break;
    case op.EQ:
      binary(op.EQ, d, a, b, bytes);
      break;
    case op.NE:
      binary(op.NE, d, a, b, bytes);
      break;
    case op.LT:
      binary(op.LT, d, a, b, bytes);
      break;
    case op.LE:
      binary(op.LE, d, a, b, bytes);
      break;
    case op.AND:
      binary(op.AND, d, a, b, bytes);
      break;
    case op.OR:
      binary(op.OR, d, a, b, bytes);
      break;
    case op.XOR:
      binary(op.XOR, d, a, b, bytes);
      break;
    case op.ANDNOT:
      binary(op.ANDNOT, d, a, b, bytes);
      break;
    case op.IADD:
      binary(op.IADD, d, a, b, bytes);
      break;
    case op.ISUB:
      binary(op.ISUB, d, a, b, bytes);
      break;
    case op.IMUL:
      binary(op.IMUL, d, a, b, bytes);
      break;
    case op.IMIN:
      binary(op.IMIN, d, a, b, bytes);
      break;
    case op.IMAX:
      binary(op.IMAX, d, a, b, bytes);
      break;
    case op.UMIN:
      binary(op.UMIN, d, a, b, bytes);
      break;
    case op.UMAX:
      binary(op.UMAX, d, a, b, bytes);
      break;
    case op.IEQ:
      binary(op.IEQ, d, a, b, bytes);
      break;
    case op.INE:
      binary(op.INE, d, a, b, bytes);
      break;
    case op.ILT:
      binary(op.ILT, d, a, b, bytes);
      break;
    case op.ILE:
      binary(op.ILE, d, a, b, bytes);
      break;
    case op.ULT:
      binary(op.ULT, d, a, b, bytes);
      break;
    case op.ULE:
      binary(op.ULE, d, a, b, bytes);
      break;
    case op.POW:
      slowBinary(op.POW, d, a, b, bytes);
      break;
    case op.COPY:
      unary(op.COPY, d, a, bytes);
      break;
    case op.NEG:
      unary(op.NEG, d, a, bytes);
      break;
    case op.ABS:
      unary(op.ABS, d, a, bytes);
      break;
    case op.SIGN:
      unary(op.SIGN, d, a, bytes);
      break;
    case op.FLOOR:
      unary(op.FLOOR, d, a, bytes);
      break;
    case op.CEIL:
      unary(op.CEIL, d, a, bytes);
      break;
    case op.TRUNC:
      unary(op.TRUNC, d, a, bytes);
      break;
    case op.ROUND:
      unary(op.ROUND, d, a, bytes);
      break;
    case op.SQRT:
      unary(op.SQRT, d, a, bytes);
      break;
    case op.RSQRT:
      unary(op.RSQRT, d, a, bytes);
      break;
    case op.RECIPROCAL:
      unary(op.RECIPROCAL, d, a, bytes);
      break;
    case op.SQUARE:
      unary(op.SQUARE, d, a, bytes);
      break;
    case op.NOT:
      unary(op.NOT, d, a, bytes);
      break;
    case op.INEG:
      unary(op.INEG, d, a, bytes);
      break;
    case op.IABS:
      unary(op.IABS, d, a, bytes);
      break;
    case op.I2F:
      unary(op.I2F, d, a, bytes);
      break;
    case op.U2F:
      unary(op.U2F, d, a, bytes);
      break;
    case op.F2I:
      unary(op.F2I, d, a, bytes);
      break;
    case op.F2U:
      unary(op.F2U, d, a, bytes);
      break;
    case op.BF2F:
      unary(op.BF2F, d, a, bytes);
      break;
    case op.F2BF:
      unary(op.F2BF, d, a, bytes);
      break;
    case op.H2F:
      unary(op.H2F, d, a, bytes);
      break;
    case op.F2H:
      unary(op.F2H, d, a, bytes);
      break;
    case op.EXP:
      slowUnary(op.EXP, d, a, bytes);
      break;
    case op.EXPM1:
      slowUnary(op.EXPM1, d, a, bytes);
      break;
    case op.LOG:
      slowUnary(op.LOG, d, a, bytes);
      break;
    case op.LOG1P:
      slowUnary(op.LOG1P, d, a, bytes);
      break;
    case op.SIN:
      slowUnary(op.SIN, d, a, bytes);
      break;
    case op.COS:
      slowUnary(op.COS, d, a, bytes);
      break;
    case op.TAN:
      slowUnary(op.TAN, d, a, bytes);
      break;
    case op.TANH:
      slowUnary(op.TANH, d, a, bytes);
      break;
    case op.SIGMOID:
      slowUnary(op.SIGMOID, d, a, bytes);
      break;
    case op.ERF:
      slowUnary(op.ERF, d, a, bytes);
      break;
    case op.SELECT:
      ternary(op.SELECT, d, a, b, e, bytes);
      break;
    case op.MULADD:
      ternary(op.MULADD, d, a, b, e, bytes);
      break;
    case op.SHL:
      shiftEach(op.SHL, d, a, b, bytes);
      break;
    case op.SHR:
      shiftEach(op.SHR, d, a, b, bytes);
      break;
    case op.USHR:
      shiftEach(op.USHR, d, a, b, bytes);
      break;
    case op.SHLI:
      shiftAll(op.SHLI, d, a, count, bytes);
      break;
    case op.SHRI:
      shiftAll(op.SHRI, d, a, count, bytes);
      break;
    case op.USHRI:
      shiftAll(op.USHRI, d, a, count, bytes);
      break;
    case op.STORE8:
      store8(d, a, bytes, 255);
      break;
    case op.STOREMASK:
      store8(d, a, bytes, 1);
      break;
    case op.STORE16:
      store16(d, a, bytes);
      break;
  }
}
