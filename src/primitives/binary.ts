import type { DType, TensorSpec } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { cast, full } from "./create.js";
import { equal, greater, select } from "./compare.js";
import { broadcastShapes, definePrimitive, type PrimitiveFunction, sameDType } from "./define.js";
import { reshape } from "./movement.js";
import { sum } from "./reduce.js";
import { imag, log, negative, real } from "./unary.js";

type Binary = PrimitiveFunction<[x: Tensor, y: Tensor], Tensor, object>;
type Rule = (g: Tensor, x: Tensor, y: Tensor, out: Tensor) => readonly [() => Tensor, () => Tensor];

/** Sums `g` down to the shape of an operand that was broadcast. */
export function unbroadcast(g: Tensor, x: Tensor): Tensor {
  if (g.shape.length === x.shape.length && g.shape.every((dim, i) => dim === x.shape[i])) return g;
  const lead = g.shape.length - x.shape.length;
  const axes = g.shape.map((_, i) => i).filter((i) => i < lead || (x.shape[i - lead] === 1 && g.shape[i] !== 1));
  return reshape(axes.length ? sum(g, axes) : g, x.shape);
}

function binary(name: string, rule: Rule | null, dtype: (x: TensorSpec) => DType = (x) => x.dtype): Binary {
  return definePrimitive(
    {
      name,
      infer: (inputs) => {
        sameDType(name, inputs);
        return [{ shape: broadcastShapes(inputs[0]!.shape, inputs[1]!.shape, name), dtype: dtype(inputs[0]!) }];
      },
      gradient: ([g], { inputs: [x, y], outputs: [out], needed }) => {
        if (!rule) return [null, null];
        const [dx, dy] = rule(g!, x!, y!, out!);
        return [needed[0] ? unbroadcast(dx(), x!) : null, needed[1] ? unbroadcast(dy(), y!) : null];
      },
    },
    (apply, x: Tensor, y: Tensor) => apply([x, y], {})[0]!,
  );
}
const number = (x: Tensor, value: number): Tensor => full([], value, x.dtype);

export const add = binary("add", (g) => [() => g, () => g]);
export const subtract = binary("subtract", (g) => [() => g, () => negative(g)]);
export const multiply = binary("multiply", (g, x, y) => [() => multiply(g, y), () => multiply(g, x)]);
/** Quotient; of integers truncated towards zero, and -1 where the divisor is 0. */
export const divide = binary("divide", (g, _, y, out) => [
  () => divide(g, y),
  () => negative(divide(multiply(g, out), y)),
]);
/** Remainder with the sign of the dividend. */
export const remainder = binary("remainder", (g, x, y) => [
  () => g,
  () => negative(multiply(g, truncatedQuotient(x, y))),
]);
export const power = binary("power", (g, x, y, out) => [
  () => multiply(g, select(equal(y, number(y, 0)), number(x, 0), multiply(y, power(x, subtract(y, number(y, 1)))))),
  () =>
    multiply(
      g,
      select(
        equal(out, number(out, 0)),
        number(x, 0),
        multiply(log(select(equal(x, number(x, 0)), number(x, 1), x)), out),
      ),
    ),
]);
export const maximum = binary("maximum", (g, x, y) => [() => multiply(g, share(x, y)), () => multiply(g, share(y, x))]);
export const minimum = binary("minimum", (g, x, y) => [() => multiply(g, share(y, x)), () => multiply(g, share(x, y))]);
export const atan2 = binary("atan2", (g, x, y) => {
  const scale = (): Tensor => divide(g, add(multiply(x, x), multiply(y, y)));
  return [() => multiply(scale(), y), () => negative(multiply(scale(), x))];
});
/** The next float after x in the direction of y. */
export const nextAfter = binary("nextAfter", null);
export const bitwiseAnd = binary("bitwiseAnd", null);
export const bitwiseOr = binary("bitwiseOr", null);
export const bitwiseXor = binary("bitwiseXor", null);
export const shiftLeft = binary("shiftLeft", null);
export const shiftRightLogical = binary("shiftRightLogical", null);
export const shiftRightArithmetic = binary("shiftRightArithmetic", null);
/** x + iy. */
export const complex = binary(
  "complex",
  (g) => [() => real(g), () => negative(imag(g))],
  () => "complex64",
);

/** 1 where a > b, ½ where they are equal, else 0: how maximum's gradient is divided. Ties count half each. */
function share(a: Tensor, b: Tensor): Tensor {
  return select(greater(a, b), number(a, 1), select(equal(a, b), number(a, 0.5), number(a, 0)));
}
function truncatedQuotient(x: Tensor, y: Tensor): Tensor {
  return cast(cast(divide(x, y), "int32"), x.dtype);
}
