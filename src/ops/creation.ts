import { promotionInput, toTensor } from "../core/convert.js";
import { type DType, isFloat, type Shape, shrink } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import { promote } from "../core/promotion.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { readNow } from "../core/host.js";
import * as P from "../primitives/index.js";
import type { PyFloat } from "../utils/py-float.js";
import { constant, givenDType, toFloat } from "./support.js";

interface DTypeOptions {
  dtype?: string | null | undefined;
}
const shapeOf = (shape: number | Shape): Shape => (typeof shape === "number" ? [shape] : shape);
const fill =
  (value: number) =>
  (shape: number | Shape, { dtype = null }: DTypeOptions = {}): Tensor =>
    P.full(shapeOf(shape), value, shrink(givenDType(dtype) ?? floatx()));
/** A tensor of zeros. */
export const zeros = defineOp("numpy.Zeros", fill(0), { static: ["shape"] });
/** A tensor of ones. */
export const ones = defineOp("numpy.Ones", fill(1), { static: ["shape"] });
/** A tensor whose values do not matter; zeros here. */
export const empty = defineOp("numpy.Empty", fill(0), { static: ["shape"] });
/** A tensor filled with one value, or with an array that broadcasts to the shape. */
export const full = defineOp(
  "numpy.Full",
  (shape: number | Shape, fillValue: TensorLike | PyFloat, { dtype = null }: DTypeOptions = {}): Tensor =>
    P.broadcastTo(toTensor(fillValue, shrink(givenDType(dtype) ?? floatx())), shapeOf(shape)),
);
const like =
  (value: number) =>
  (x: TensorLike, { dtype = null }: DTypeOptions = {}): Tensor => {
    const t = toTensor(x);
    return P.full(t.shape, value, shrink(givenDType(dtype) ?? t.dtype));
  };
/** Zeros in the shape of `x`. */
export const zerosLike = defineOp("numpy.ZerosLike", like(0));
/** Ones in the shape of `x`. */
export const onesLike = defineOp("numpy.OnesLike", like(1));
/** A tensor in the shape of `x` whose values do not matter. */
export const emptyLike = defineOp("numpy.EmptyLike", like(0));
/** One value in the shape of `x`. */
export const fullLike = defineOp(
  "numpy.FullLike",
  (x: TensorLike, fillValue: TensorLike | PyFloat, { dtype = null }: DTypeOptions = {}): Tensor => {
    const t = toTensor(x);
    return P.broadcastTo(toTensor(fillValue, shrink(givenDType(dtype) ?? t.dtype)), t.shape);
  },
);
/** The tensor of host values, or a copy of a tensor. */
export const array = defineOp("numpy.Array", (x: TensorLike, { dtype = null }: DTypeOptions = {}): Tensor =>
  toTensor(x, givenDType(dtype)),
);
/** A tensor with the same values. */
export const copy = defineOp("numpy.Copy", (x: TensorLike): Tensor => toTensor(x));

/** The shape of a matrix of `n` rows and `m` columns, n when null; floats are refused, as arrays and numbers marked as Python's are. */
function matrixSize(op: string, n: number, m: number | null): [number, number] {
  for (const size of [n, m ?? n])
    if (!Number.isInteger(size) || size < 0)
      throw new TypeError(`${op}: sizes must be integers >= 0. Received: ${String(n)}, M: ${String(m)}.`);
  return [n, m ?? n];
}
/** 1 on the k-th diagonal and 0 elsewhere: [n, m]. */
export const eye = defineOp(
  "numpy.Eye",
  (
    n: number,
    { M = null, k = 0, dtype = null }: { M?: number | null | undefined; k?: number | undefined } & DTypeOptions = {},
  ): Tensor => {
    const size = matrixSize("eye", n, M);
    const diagonal = P.equal(P.add(P.iota(size, 0, "int32"), P.full([], k, "int32")), P.iota(size, 1, "int32"));
    return P.cast(diagonal, shrink(givenDType(dtype) ?? floatx()));
  },
  { static: ["N"] },
);
/** The identity matrix [n, n]. */
export const identity = defineOp("numpy.Identity", (n: number, options: DTypeOptions = {}): Tensor => eye(n, options), {
  static: ["n"],
});
/** 1 on and below the k-th diagonal, 0 above: [n, m]. */
export const tri = defineOp(
  "numpy.Tri",
  (
    n: number,
    { M = null, k = 0, dtype = null }: { M?: number | null | undefined; k?: number | undefined } & DTypeOptions = {},
  ): Tensor => P.cast(lowerMask(...matrixSize("tri", n, M), k), shrink(givenDType(dtype) ?? floatx())),
  { static: ["N"] },
);
/** Where the column is at most k to the right of the row. */
export const lowerMask = (n: number, m: number, k: number): Tensor =>
  P.greaterEqual(P.add(P.iota([n, m], 0, "int32"), P.full([], k, "int32")), P.iota([n, m], 1, "int32"));

/** One number as it is read here: the host value of a scalar. */
const scalar = (x: TensorLike | PyFloat): number =>
  typeof x === "number" ? x : Number(readNow(toTensor(x), "arange")?.numbers()[0] ?? NaN);
/** start, start + step, ... below stop; with one argument 0, 1, ... below it. */
export const arange = defineOp(
  "numpy.Arange",
  (
    start: TensorLike | PyFloat,
    stop: TensorLike | PyFloat | null = null,
    step: TensorLike | PyFloat | null = null,
    { dtype = null }: DTypeOptions = {},
  ): Tensor => {
    const given = [start, stop, step].filter((x): x is TensorLike | PyFloat => x !== null);
    const target = shrink(givenDType(dtype) ?? promote(given.map(promotionInput), floatx()));
    const [from, to] = stop === null ? [0, scalar(start)] : [scalar(start), scalar(stop)];
    const by = step === null ? 1 : scalar(step);
    if (by === 0) throw new RangeError("arange: the step must not be 0.");
    const count = Math.max(0, Math.ceil((to - from) / by));
    // Counted in int32 or float32 first: narrow types could not hold the positions.
    const wide: DType = isFloat(target) || !Number.isInteger(from) || !Number.isInteger(by) ? "float32" : "int32";
    const steps = P.iota([count], 0, wide);
    return P.cast(P.add(P.multiply(steps, constant(by, steps)), constant(from, steps)), target);
  },
);

interface SpaceOptions extends DTypeOptions {
  /** Number of values. */
  num?: number | Tensor | undefined;
  /** Whether the last value is `stop`. */
  endpoint?: boolean | undefined;
  /** Axis of the result that the values run along. */
  axis?: number | undefined;
}
/** Fractions 0 ... 1 (or below 1) as a column that broadcasts over the bounds. */
function evenly(
  start: TensorLike,
  stop: TensorLike,
  { num: given = 50, endpoint = true, dtype = null }: SpaceOptions,
): { values: Tensor; step: Tensor; target: DType } {
  const num = typeof given === "number" ? given : scalar(given);
  if (!Number.isInteger(num) || num < 0)
    throw new TypeError(`linspace: num must be an integer >= 0. Received: ${String(num)}.`);
  const target = shrink(givenDType(dtype) ?? promote([promotionInput(start), promotionInput(stop), "float"], floatx()));
  const wide: DType = isFloat(target) ? target : "float32";
  const [from, to] = [toTensor(start, wide), toTensor(stop, wide)];
  const shape = P.broadcastShapes(from.shape, to.shape);
  const divisions = endpoint ? num - 1 : num;
  const step = P.divide(P.subtract(to, from), constant(divisions > 0 ? divisions : NaN, from));
  const column = P.iota([num, ...shape.map(() => 1)], 0, wide);
  const share = divisions > 0 ? P.divide(column, constant(divisions, column)) : column;
  let values = P.add(
    P.multiply(P.broadcastTo(from, shape), P.subtract(constant(1, share), share)),
    P.multiply(P.broadcastTo(to, shape), share),
  );
  if (num === 0) values = P.full([0, ...shape], 0, wide);
  if (endpoint && num > 1)
    values = P.select(P.equal(column, constant(num - 1, column)), P.broadcastTo(to, shape), values);
  return { values, step, target };
}
/** Moves the leading axis to where it is wanted. */
const placed = (x: Tensor, axis: number): Tensor => {
  const at = axis < 0 ? axis + x.ndim : axis;
  const rest = x.shape.map((_, i) => i).slice(1);
  return P.transpose(x, [...rest.slice(0, at), 0, ...rest.slice(at)]);
};
/** Evenly spaced values from start to stop; with `retstep` the step too. */
export const linspace = defineOp(
  "numpy.Linspace",
  (
    start: TensorLike,
    stop: TensorLike,
    options: SpaceOptions & { retstep?: boolean | undefined } = {},
  ): Tensor | [Tensor, Tensor] => {
    const { values, step, target } = evenly(start, stop, options);
    const whole = isFloat(target) ? values : P.floor(values);
    const result = P.cast(placed(whole, options.axis ?? 0), target);
    return options.retstep ? [result, step] : result;
  },
);
/** base to the power of evenly spaced exponents. */
export const logspace = defineOp(
  "numpy.Logspace",
  (start: TensorLike, stop: TensorLike, options: SpaceOptions & { base?: number | undefined } = {}): Tensor => {
    const { values, target } = evenly(start, stop, { ...options, dtype: null });
    const powers = P.power(constant(options.base ?? 10, values), values);
    return P.cast(placed(powers, options.axis ?? 0), shrink(givenDType(options.dtype) ?? target));
  },
);
/** Values with a constant ratio from start to stop. */
export const geomspace = defineOp(
  "numpy.Geomspace",
  (start: TensorLike, stop: TensorLike, options: SpaceOptions = {}): Tensor => {
    const target = shrink(
      givenDType(options.dtype) ?? promote([promotionInput(start), promotionInput(stop), "float"], floatx()),
    );
    const [from, to] = [toFloat(start), toFloat(stop)];
    const sign = P.sign(P.add(from, P.multiply(to, constant(0, to))));
    const { values } = evenly(P.log(P.abs(from)), P.log(P.abs(to)), { ...options, dtype: "float32" });
    const powers = P.multiply(P.exp(values), P.cast(P.broadcastTo(sign, values.shape.slice(1)), values.dtype));
    const first = P.equal(
      P.iota([values.shape[0]!, ...values.shape.slice(1).map(() => 1)], 0, "int32"),
      P.full([], 0, "int32"),
    );
    const exactStart = P.select(
      P.broadcastTo(first, powers.shape),
      P.broadcastTo(P.cast(from, powers.dtype), powers.shape),
      powers,
    );
    return P.cast(placed(exactStart, options.axis ?? 0), target);
  },
);
/** Coordinate grids of vectors; "xy" swaps the first two axes, as images do. */
export const meshgrid = defineOp(
  "numpy.Meshgrid",
  (...args: readonly (TensorLike | { indexing?: "xy" | "ij" | undefined })[]): Tensor[] => {
    const last = args.at(-1);
    const hasOptions =
      typeof last === "object" &&
      last !== null &&
      Object.getPrototypeOf(last) === Object.prototype &&
      !("data" in last);
    const { indexing = "xy" } = (hasOptions ? last : {}) as { indexing?: "xy" | "ij" };
    if (indexing !== "xy" && indexing !== "ij")
      throw new TypeError(`meshgrid: indexing must be "xy" or "ij". Received: ${String(indexing)}.`);
    const vectors = (hasOptions ? args.slice(0, -1) : args).map((x) => {
      const t = toTensor(x as TensorLike);
      return P.reshape(t, [t.size]);
    });
    const order = vectors.map((_, i) => i);
    if (indexing === "xy" && order.length > 1) [order[0], order[1]] = [1, 0];
    const shape = order.map((i) => vectors[i]!.size);
    return vectors.map((v, i) =>
      P.broadcastTo(
        P.reshape(
          v,
          order.map((j) => (j === i ? v.size : 1)),
        ),
        shape,
      ),
    );
  },
);
