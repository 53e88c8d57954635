import {
  type A,
  add,
  and,
  bitcast,
  cast,
  ceil,
  equal,
  floor,
  isNaN,
  less,
  lessEqual,
  like,
  maximum,
  minimum,
  multiply,
  not,
  notEqual,
  or,
  rawIntegerDivide,
  rawShiftLeft,
  rawShiftRight,
  reciprocal,
  scalar,
  scale,
  sqrt,
  subtract,
  where,
  xor,
} from "../ops.js";
import { elementwise, type Lowerings, of } from "./lowering.js";
import * as math from "./math.js";

const float = of("float32");
const signed = of("float32", "int32");
const number = of("float32", "int32", "uint32");
const integer = of("int32", "uint32");
const bits = of("int32", "uint32", "bool");
const isFloat = (x: A): boolean => (x.dtype as string) === "float32";

/** Truncating division: -1 (all ones) by zero, as XLA; WebAssembly's instruction traps there and at -2^31 / -1. */
function integerDivide(x: A, y: A): A {
  const zero = equal(y, like(y, 0));
  if ((y.dtype as string) === "uint32") {
    return where(zero, like(y, 0xffffffff), rawIntegerDivide(x, where(zero, like(y, 1), y)));
  }
  const minusOne = equal(y, like(y, -1));
  const quotient = rawIntegerDivide(x, where(or(zero, minusOne), like(y, 1), y));
  return where(zero, like(y, -1), where(minusOne, subtract(like(x, 0), x), quotient));
}
/** Order of bools and unsigned numbers is that of signed ones after this. */
const comparable = (x: A): A => ((x.dtype as string) === "bool" ? cast(x, "int32") : x);
const ordered =
  (compare: (x: A, y: A) => A) =>
  (x: A, y: A): A =>
    compare(comparable(x), comparable(y));
const inRange = (by: A): A => less(bitcast(by, "uint32"), scalar(32, "uint32"));
const safe = (by: A): A => and(by, like(by, 31));

function shiftRightArithmetic(x: A, by: A): A {
  const n = where(inRange(by), safe(by), like(by, 31));
  const flipped = where(less(x, like(x, 0)), xor(x, like(x, -1)), x);
  const shifted = rawShiftRight(flipped, n);
  return where(less(x, like(x, 0)), xor(shifted, like(x, -1)), shifted);
}

function sign(x: A): A {
  const zero = like(x, 0);
  return where(less(zero, x), like(x, 1), where(less(x, zero), like(x, -1), x));
}

/** Elementwise primitives. What is missing here is rare: inverse and special functions. */
export const elementwiseLowerings = {
  negative: elementwise((x) => (isFloat(x) ? scale(x, -1) : subtract(like(x, 0), x)), number),
  abs: elementwise((x) => (isFloat(x) ? math.abs(x) : maximum(x, subtract(like(x, 0), x))), signed),
  sign: elementwise(sign, signed),
  floor: elementwise(floor, float),
  ceil: elementwise(ceil, float),
  round: elementwise(math.round, float),
  sqrt: elementwise(sqrt, float),
  rsqrt: elementwise((x) => reciprocal(sqrt(x)), float),
  exp: elementwise(math.exp, float),
  expm1: elementwise(math.expm1, float),
  log: elementwise(math.log, float),
  log1p: elementwise(math.log1p, float),
  sin: elementwise(math.sin, float),
  cos: elementwise(math.cos, float),
  tanh: elementwise(math.tanh, float),
  sigmoid: elementwise(math.sigmoid, float),
  erf: elementwise(math.erf, float),
  isFinite: elementwise((x) => less(math.abs(x), like(x, Infinity)), float),
  logicalNot: elementwise(not, of("bool")),
  bitwiseNot: elementwise(
    (x) => ((x.dtype as string) === "bool" ? not(x) : xor(x, like(x, x.dtype === "int32" ? -1 : 0xffffffff))),
    bits,
  ),

  add: elementwise(add, number),
  subtract: elementwise(subtract, number),
  multiply: elementwise(multiply, number),
  divide: elementwise((x, y) => (isFloat(x) ? math.divide(x, y) : integerDivide(x, y)), number),
  remainder: elementwise((x, y) => {
    const rest = subtract(x, multiply(integerDivide(x, y), y));
    return where(equal(y, like(y, 0)), x, rest);
  }, integer),
  power: elementwise(math.power, float),
  maximum: elementwise((x, y) => maximum(x, y), number),
  minimum: elementwise((x, y) => minimum(x, y), number),
  multiplyAdd: elementwise((x, y, z) => add(multiply(x, y), z), float),
  bitwiseAnd: elementwise(and, bits),
  bitwiseOr: elementwise(or, bits),
  bitwiseXor: elementwise(xor, bits),
  shiftLeft: elementwise((x, by) => where(inRange(by), rawShiftLeft(x, safe(by)), like(x, 0)), integer),
  shiftRightLogical: elementwise((x, by) => where(inRange(by), rawShiftRight(x, safe(by)), like(x, 0)), integer),
  shiftRightArithmetic: elementwise(shiftRightArithmetic, of("int32")),

  equal: elementwise(ordered(equal)),
  notEqual: elementwise(ordered(notEqual)),
  less: elementwise(ordered(less)),
  lessEqual: elementwise(ordered(lessEqual)),
  greater: elementwise(ordered((x, y) => less(y, x))),
  greaterEqual: elementwise(ordered((x, y) => lessEqual(y, x))),
  logicalAnd: elementwise(and, of("bool")),
  logicalOr: elementwise(or, of("bool")),
  logicalXor: elementwise(xor, of("bool")),
  select: elementwise(where),

  cast: {
    lower: ([x], { dtype }) => {
      if (dtype === "bool") return [notEqual(x!, like(x!, 0))];
      if (isFloat(x!) && dtype !== "float32") {
        // The vector instruction of jax-js is only right for values that it could have checked: NaN must be 0.
        return [cast(where(isNaN(x!), like(x!, 0), x!), dtype)];
      }
      return [cast(x!, dtype)];
    },
  },
  bitcast: {
    when: ([x], { dtype }) => x!.dtype !== "bool" && dtype !== "bool",
    lower: ([x], { dtype }) => [bitcast(x!, dtype)],
  },
  stopGradient: elementwise((x) => x),
} satisfies Lowerings;
