import type { DType, TensorSpec } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { divide, multiply } from "./binary.js";
import { equal, greaterEqual, select } from "./compare.js";
import { cast, full, iota } from "./create.js";
import { definePrimitive, flat, type PrimitiveFunction, unaryPrimitive } from "./define.js";
import { broadcastTo, reshape, reverse, slice, concatenate, transpose } from "./movement.js";

export interface ReduceAttributes {
  /** Axes to reduce, ascending, none negative. */
  readonly axes: readonly number[];
  /** Whether reduced axes stay with size 1. */
  readonly keepdims: boolean;
}
type Reduction = PrimitiveFunction<[x: Tensor, axes: readonly number[], keepdims?: boolean], Tensor, ReduceAttributes>;
type Rule = (g: Tensor, x: Tensor, y: Tensor, axes: readonly number[]) => Tensor;

const keptShape = (shape: readonly number[], axes: readonly number[]): number[] =>
  shape.map((dim, i) => (axes.includes(i) ? 1 : dim));
function reducedShape(shape: readonly number[], { axes, keepdims }: ReduceAttributes): number[] {
  return keepdims ? keptShape(shape, axes) : shape.filter((_, i) => !axes.includes(i));
}

/** `rule` sees the gradient and the result with the reduced axes kept as 1. */
function reduction(name: string, rule: Rule | null, dtype: (x: TensorSpec) => DType = (x) => x.dtype): Reduction {
  return definePrimitive(
    {
      name,
      infer: ([x], attributes: ReduceAttributes) => [{ shape: reducedShape(x!.shape, attributes), dtype: dtype(x!) }],
      gradient: rule
        ? ([g], { inputs: [x], outputs: [y], attributes: { axes } }) => {
            const kept = keptShape(x!.shape, axes);
            return [rule(reshape(g!, kept), x!, reshape(y!, kept), axes)];
          }
        : flat,
    },
    (apply, x: Tensor, axes: readonly number[], keepdims = false) => apply([x], { axes, keepdims })[0]!,
  );
}

/** Shares the gradient among the elements that attain the extreme. */
const extremeGradient: Rule = (g, x, y, axes) => {
  const attained = cast(equal(x, y), x.dtype);
  return multiply(divide(g, sum(attained, axes, true)), attained);
};
/** Sum; integers keep their dtype and wrap. */
export const sum = reduction("sum", (g, x) => broadcastTo(g, x.shape));
export const max = reduction("max", extremeGradient);
export const min = reduction("min", extremeGradient);
export const product = reduction("product", (g, x, _, axes) => multiply(g, productOfOthers(x, axes)));
/** Of bool tensors. */
export const all = reduction("all", null, () => "bool");
export const any = reduction("any", null, () => "bool");

/** For each element the product of the others on its axes: right even where there are zeros. */
function productOfOthers(x: Tensor, axes: readonly number[]): Tensor {
  const rest = x.shape.map((_, i) => i).filter((i) => !axes.includes(i));
  const order = [...rest, ...axes];
  const moved = transpose(x, order);
  const rows = reshape(moved, [rest.reduce((n, i) => n * x.shape[i]!, 1), axes.reduce((n, i) => n * x.shape[i]!, 1)]);
  const [m, n] = rows.shape as [number, number];
  if (n === 0) return x;
  const one = full([m, 1], 1, x.dtype);
  const before = concatenate([one, slice(cumulativeProduct(rows, 1), [0, 0], [m, n - 1])], 1);
  const after = concatenate([slice(cumulativeProduct(rows, 1, true), [0, 1], [m, n]), one], 1);
  const back = order.map((_, i) => order.indexOf(i));
  return transpose(reshape(multiply(before, after), moved.shape), back);
}

export interface ArgReduceAttributes {
  readonly axis: number;
}
function argReduction(name: string): PrimitiveFunction<[x: Tensor, axis: number], Tensor, ArgReduceAttributes> {
  const primitive = unaryPrimitive<ArgReduceAttributes>(
    name,
    ({ shape }, { axis }) => ({ shape: shape.filter((_, i) => i !== axis), dtype: "int32" }),
    () => null,
  );
  return Object.assign((x: Tensor, axis: number) => primitive(x, { axis }), { primitive: primitive.primitive });
}
/** Position of the first largest element; a NaN wins. */
export const argMax = argReduction("argMax");
export const argMin = argReduction("argMin");

export interface CumulativeAttributes {
  readonly axis: number;
  /** Whether to start from the end. */
  readonly reverse: boolean;
}
type Cumulative = PrimitiveFunction<[x: Tensor, axis: number, reverse?: boolean], Tensor, CumulativeAttributes>;
function cumulative(
  name: string,
  gradient: (g: Tensor, x: Tensor, y: Tensor, a: CumulativeAttributes) => Tensor,
): Cumulative {
  const primitive = unaryPrimitive<CumulativeAttributes>(name, ({ shape, dtype }) => ({ shape, dtype }), gradient);
  return Object.assign((x: Tensor, axis: number, reversed = false) => primitive(x, { axis, reverse: reversed }), {
    primitive: primitive.primitive,
  });
}
export const cumulativeSum = cumulative("cumulativeSum", (g, _x, _y, { axis, reverse: reversed }) =>
  cumulativeSum(g, axis, !reversed),
);
export const cumulativeProduct = cumulative("cumulativeProduct", (g, x, _, { axis, reverse: reversed }) => {
  const flip = (t: Tensor): Tensor => (reversed ? reverse(t, [axis]) : t);
  return flip(cumulativeProductGradient(flip(g), flip(x), axis));
});

/** Σ_i g_i ∏_{k<=i, k≠j} x_k for each j, without dividing, so that zeros are no special case. */
function cumulativeProductGradient(g: Tensor, x: Tensor, axis: number): Tensor {
  const last = x.shape.length - 1;
  const order = [...x.shape.keys()].filter((i) => i !== axis).concat(axis);
  const n = x.shape[axis]!;
  const rows = transpose(x, order);
  const square = [...rows.shape.slice(0, last), n, n];
  const column = iota([n, n], 0, "int32");
  const row = iota([n, n], 1, "int32");
  const one = full([], 1, x.dtype);
  const others = select(
    equal(column, row),
    one,
    broadcastTo(reshape(rows, [...rows.shape.slice(0, last), 1, n]), square),
  );
  const partial = select(greaterEqual(row, column), cumulativeProduct(others, last + 1), full([], 0, x.dtype));
  const weighted = multiply(partial, reshape(transpose(g, order), [...rows.shape.slice(0, last), 1, n]));
  return transpose(
    sum(weighted, [last + 1]),
    order.map((_, i) => order.indexOf(i)),
  );
}
