// Opcodes of the elementwise chain interpreter. The build also writes them into the generated TypeScript: this file is their one home.
// binary f32
export const ADD: i32 = 0;
export const SUB: i32 = 1;
export const MUL: i32 = 2;
export const DIV: i32 = 3;
export const MIN: i32 = 4;
export const MAX: i32 = 5;
export const POW: i32 = 6;
// compare f32 -> mask
export const EQ: i32 = 7;
export const NE: i32 = 8;
export const LT: i32 = 9;
export const LE: i32 = 10;
// bitwise on any lanes
export const AND: i32 = 11;
export const OR: i32 = 12;
export const XOR: i32 = 13;
export const ANDNOT: i32 = 14;
export const NOT: i32 = 15;
// integer
export const IADD: i32 = 16;
export const ISUB: i32 = 17;
export const IMUL: i32 = 18;
export const IMIN: i32 = 19;
export const IMAX: i32 = 20;
export const UMIN: i32 = 21;
export const UMAX: i32 = 22;
export const INEG: i32 = 23;
export const IABS: i32 = 24;
export const IEQ: i32 = 25;
export const INE: i32 = 26;
export const ILT: i32 = 27;
export const ILE: i32 = 28;
export const ULT: i32 = 29;
export const ULE: i32 = 30;
// shifts: count per element; with I, the count is the word b itself
export const SHL: i32 = 31;
export const SHR: i32 = 32;
export const USHR: i32 = 33;
export const SHLI: i32 = 34;
export const SHRI: i32 = 35;
export const USHRI: i32 = 36;
// ternary
export const SELECT: i32 = 37;
export const MULADD: i32 = 38;
// unary f32
export const COPY: i32 = 39;
export const NEG: i32 = 40;
export const ABS: i32 = 41;
export const SIGN: i32 = 42;
export const FLOOR: i32 = 43;
export const CEIL: i32 = 44;
export const TRUNC: i32 = 45;
export const ROUND: i32 = 46;
export const SQRT: i32 = 47;
export const RSQRT: i32 = 48;
export const RECIPROCAL: i32 = 49;
export const SQUARE: i32 = 50;
export const EXP: i32 = 51;
export const EXPM1: i32 = 52;
export const LOG: i32 = 53;
export const LOG1P: i32 = 54;
export const SIN: i32 = 55;
export const COS: i32 = 56;
export const TAN: i32 = 57;
export const TANH: i32 = 58;
export const SIGMOID: i32 = 59;
export const ERF: i32 = 60;
// casts
export const I2F: i32 = 61;
export const U2F: i32 = 62;
export const F2I: i32 = 63;
export const F2U: i32 = 64;
export const BF2F: i32 = 65;
export const F2BF: i32 = 66;
export const H2F: i32 = 67;
export const F2H: i32 = 68;
// narrowing stores: dst is an output
export const STORE8: i32 = 69;
export const STORE16: i32 = 70;
export const STOREMASK: i32 = 71;
