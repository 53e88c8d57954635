import { promoted, toTensor } from "../core/convert.js";
import { isFloat, isUnsigned } from "../core/dtype.js";
import { isSpecMode } from "../core/interpreter.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { whileLoop } from "./loops.js";

type Fn2 = (x: Tensor, y: Tensor) => Tensor;

function integers(name: string, x1: TensorLike, x2: TensorLike): [Tensor, Tensor] {
  const [x, y] = promoted([x1, x2]) as [Tensor, Tensor];
  if (isFloat(x.dtype) && !isSpecMode()) throw new TypeError(`${name} takes integers or bools. Received: ${x.dtype}.`);
  return [x, y];
}
const bitwise =
  (name: string, ofIntegers: Fn2, ofBools: Fn2) =>
  (x1: TensorLike, x2: TensorLike): Tensor => {
    const [x, y] = integers(name, x1, x2);
    return x.dtype === "bool" ? ofBools(x, y) : ofIntegers(x, y);
  };
/** Bits that both elements have; the two broadcast. Throws a TypeError for floats, as all ops on bits do. */
export const bitwiseAnd = defineOp("numpy.BitwiseAnd", bitwise("bitwiseAnd", P.bitwiseAnd, P.logicalAnd));
/** Bits that at least one of the elements has; the two broadcast. */
export const bitwiseOr = defineOp("numpy.BitwiseOr", bitwise("bitwiseOr", P.bitwiseOr, P.logicalOr));
/** Bits that exactly one of the elements has; the two broadcast. */
export const bitwiseXor = defineOp("numpy.BitwiseXor", bitwise("bitwiseXor", P.bitwiseXor, P.logicalXor));

const invert = (x: TensorLike): Tensor => {
  const t = toTensor(x);
  if (isFloat(t.dtype) && !isSpecMode())
    throw new TypeError(`bitwiseNot takes integers or bools. Received: ${t.dtype}.`);
  return t.dtype === "bool" ? P.logicalNot(t) : P.bitwiseNot(t);
};
/** Every bit turned around. */
export const bitwiseInvert = defineOp("numpy.BitwiseInvert", invert);
/** Every bit turned around. */
export const bitwiseNot = defineOp("numpy.BitwiseNot", invert);

const shift =
  (name: string, fn: Fn2) =>
  (x1: TensorLike, x2: TensorLike): Tensor => {
    const [x, y] = integers(name, x1, x2);
    return x.dtype === "bool" ? fn(P.cast(x, "int32"), P.cast(y, "int32")) : fn(x, y);
  };
const right: Fn2 = (x, y) => (isUnsigned(x.dtype) ? P.shiftRightLogical(x, y) : P.shiftRightArithmetic(x, y));
/** Shifts left by `x2` bits: zeros come in, and what leaves is lost; the two broadcast. */
export const bitwiseLeftShift = defineOp("numpy.BitwiseLeftShift", shift("bitwiseLeftShift", P.shiftLeft));
/** Shifts left by `x2` bits: zeros come in, and what leaves is lost; the two broadcast. */
export const leftShift = defineOp("numpy.LeftShift", shift("leftShift", P.shiftLeft));
/** Shifts right; the sign of signed integers is kept. */
export const bitwiseRightShift = defineOp("numpy.BitwiseRightShift", shift("bitwiseRightShift", right));
/** Shifts right; the sign of signed integers is kept. */
export const rightShift = defineOp("numpy.RightShift", shift("rightShift", right));

/** Greatest common divisor of integers, by Euclid's algorithm. */
export const gcd = defineOp("numpy.Gcd", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = integers("gcd", x1, x2);
  const spread = P.broadcastShapes(x.shape, y.shape, "gcd");
  const wide = x.dtype === "bool" ? (t: Tensor): Tensor => P.cast(t, "int32") : (t: Tensor): Tensor => t;
  const zero = P.full([], 0, wide(x).dtype);
  const [a] = whileLoop(
    ([, q]) =>
      P.any(
        P.notEqual(q!, zero),
        q!.shape.map((_, i) => i),
      ),
    ([p, q]) => {
      const done = P.equal(q!, zero);
      const next = P.remainder(p!, P.select(done, P.full([], 1, q!.dtype), q!));
      return [P.select(done, p!, q!), P.select(done, zero, next)];
    },
    [P.broadcastTo(magnitude(wide(x)), spread), P.broadcastTo(magnitude(wide(y)), spread)],
  );
  return a!;
});
const magnitude = (x: Tensor): Tensor => (isUnsigned(x.dtype) ? x : P.abs(x));
/** Least common multiple of integers. */
export const lcm = defineOp("numpy.Lcm", (x1: TensorLike, x2: TensorLike): Tensor => {
  const [x, y] = integers("lcm", x1, x2);
  const divisor = gcd(x, y);
  const zero = P.full([], 0, divisor.dtype);
  const none = P.equal(divisor, zero);
  const [a, b] = [x, y].map((t) => magnitude(P.cast(t, divisor.dtype))) as [Tensor, Tensor];
  return P.select(none, zero, P.multiply(a, P.divide(b, P.select(none, P.full([], 1, divisor.dtype), divisor))));
});
