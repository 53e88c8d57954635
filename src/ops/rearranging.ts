import { toTensor } from "../core/convert.js";
import { isFloat } from "../core/dtype.js";
import { defineOp } from "../core/op.js";
import { NDArray } from "../core/ndarray.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { between } from "./joining.js";
import { lowerMask } from "./creation.js";
import { type Axis, axesOf, axisOf, constant, productOf } from "./support.js";

const list = (a: number | readonly number[] | NDArray): readonly number[] =>
  typeof a === "number" ? [a] : a instanceof NDArray ? [...a.numbers()] : a;

/** Moves axes to new positions; the others keep their order. */
export const moveaxis = defineOp(
  "numpy.Moveaxis",
  (x: TensorLike, source: number | readonly number[], destination: number | readonly number[]): Tensor => {
    const t = toTensor(x);
    const from = list(source).map((a) => axisOf(a, t.ndim));
    const to = list(destination).map((a) => axisOf(a, t.ndim));
    if (from.length !== to.length)
      throw new RangeError(`moveaxis: ${from.length} axes cannot move to ${to.length} positions.`);
    const order: number[] = [];
    to.forEach((position, i) => (order[position] = from[i]!));
    const rest = t.shape.map((_, i) => i).filter((i) => !from.includes(i));
    for (let i = 0; i < t.ndim; i++) order[i] ??= rest.shift()!;
    return P.transpose(t, order);
  },
  { static: ["source", "destination"] },
);
/** Exchanges two axes. */
export const swapaxes = defineOp(
  "numpy.Swapaxes",
  (x: TensorLike, axis1: number, axis2: number): Tensor => {
    const t = toTensor(x);
    const order = t.shape.map((_, i) => i);
    const [a, b] = [axisOf(axis1, t.ndim), axisOf(axis2, t.ndim)];
    [order[a], order[b]] = [b, a];
    return P.transpose(t, order);
  },
  { static: ["axis1", "axis2"] },
);
/** All elements in one axis. */
export const ravel = defineOp("numpy.Ravel", (x: TensorLike): Tensor => {
  const t = toTensor(x);
  return P.reshape(t, [productOf(t.shape)]);
});
/** Turns the order of elements around along axes (all when null). */
export const flip = defineOp(
  "numpy.Flip",
  (x: TensorLike, { axis = null }: { axis?: Axis | undefined } = {}): Tensor => {
    const t = toTensor(x);
    return P.reverse(t, axesOf(axis, t.ndim));
  },
);
/** Turns each row around. */
export const fliplr = defineOp("numpy.Fliplr", (x: TensorLike): Tensor => flip(x, { axis: 1 }));
/** Turns the order of rows around. */
export const flipud = defineOp("numpy.Flipud", (x: TensorLike): Tensor => flip(x, { axis: 0 }));
/** Shifts elements along axes; those that leave one end enter the other. */
export const roll = defineOp(
  "numpy.Roll",
  (x: TensorLike, shift: number | readonly number[], { axis = null }: { axis?: Axis | undefined } = {}): Tensor => {
    const t = toTensor(x);
    if (axis === null)
      return P.reshape(
        rolled(
          P.reshape(t, [productOf(t.shape)]),
          list(shift).reduce((a, b) => a + b, 0),
          0,
        ),
        t.shape,
      );
    const axes = list(axis);
    const shifts = list(shift);
    if (axes.length !== shifts.length && axes.length !== 1 && shifts.length !== 1)
      throw new RangeError(`roll: ${shifts.length} shifts do not go with ${axes.length} axes.`);
    const count = Math.max(axes.length, shifts.length);
    let y = t;
    for (let i = 0; i < count; i++) y = rolled(y, shifts[i % shifts.length]!, axisOf(axes[i % axes.length]!, t.ndim));
    return y;
  },
  { static: ["shift"] },
);
function rolled(x: Tensor, shift: number, axis: number): Tensor {
  const n = x.shape[axis]!;
  if (n === 0 || Number.isNaN(n)) return x;
  const by = ((shift % n) + n) % n;
  return by === 0 ? x : P.concatenate([between(x, axis, n - by, n), between(x, axis, 0, n - by)], axis);
}
/** Turns an image by 90 degrees k times in the plane of two axes. */
export const rot90 = defineOp(
  "numpy.Rot90",
  (
    array: TensorLike,
    {
      k = 1,
      axes = [0, 1],
    }: { k?: number | undefined; axes?: readonly [number, number] | readonly number[] | undefined } = {},
  ): Tensor => {
    const t = toTensor(array);
    if (t.ndim < 2) throw new RangeError(`rot90 needs at least 2 axes. Received shape [${t.shape}].`);
    const [a, b] = axes.map((i) => axisOf(i, t.ndim)) as [number, number];
    if (axes.length !== 2 || a === b) throw new RangeError(`rot90 needs two different axes. Received: [${axes}].`);
    const order = t.shape.map((_, i) => i);
    [order[a], order[b]] = [b, a];
    switch (((k % 4) + 4) % 4) {
      case 1:
        return P.transpose(P.reverse(t, [b]), order);
      case 2:
        return P.reverse(t, [Math.min(a, b), Math.max(a, b)]);
      case 3:
        return P.reverse(P.transpose(t, order), [b]);
      default:
        return t;
    }
  },
);

type PadWidth = number | readonly number[] | readonly (readonly number[])[];
/** [before, after] for every axis. */
function widths(padWidth: PadWidth, rank: number): (readonly [number, number])[] {
  if (typeof padWidth === "number") return Array.from({ length: rank }, () => [padWidth, padWidth]);
  if (padWidth.every((w) => typeof w === "number")) {
    const [low, high = low] = padWidth as readonly number[];
    return Array.from({ length: rank }, () => [low!, high!]);
  }
  const pairs = (padWidth as readonly (readonly number[])[]).map(([low, high = low]) => [low!, high!] as const);
  if (pairs.length === 1) return Array.from({ length: rank }, () => pairs[0]!);
  if (pairs.length !== rank) throw new RangeError(`pad: expected widths for ${rank} axes. Received: ${pairs.length}.`);
  return pairs;
}
/** What `pad` puts around a tensor, as NumPy names it: a constant, or values that follow from those along the axis. */
export type PadMode =
  | "constant"
  | "edge"
  | "reflect"
  | "symmetric"
  | "wrap"
  | "empty"
  | "linear_ramp"
  | "maximum"
  | "mean"
  | "median"
  | "minimum";
/** Surrounds a tensor with a constant, its edge, or its own mirrored or repeated values. */
export const pad = defineOp(
  "numpy.Pad",
  (
    x: TensorLike,
    padWidth: PadWidth,
    {
      mode = "constant",
      constantValues = null,
    }: { mode?: PadMode | undefined; constantValues?: number | null | undefined } = {},
  ): Tensor => {
    const t = toTensor(x);
    const pairs = widths(padWidth, t.ndim);
    if (mode !== "constant" && constantValues !== null)
      throw new TypeError(`pad: constantValues only goes with mode "constant". Received mode: "${mode}".`);
    if (mode === "constant" || mode === "empty") {
      const value = constantValues ?? 0;
      return P.pad(t, {
        low: pairs.map(([l]) => l),
        high: pairs.map(([, h]) => h),
        interior: pairs.map(() => 0),
        value: t.dtype === "bool" ? Number(Boolean(value)) : Number(value),
      });
    }
    return pairs.reduce(
      (y, [low, high], axis) => (low === 0 && high === 0 ? y : extended(y, axis, low, high, mode)),
      t,
    );
  },
  { static: ["pad_width"] },
);
function extended(x: Tensor, axis: number, low: number, high: number, mode: PadMode): Tensor {
  const n = x.shape[axis]!;
  if (Number.isNaN(n))
    return P.pad(x, {
      low: x.shape.map((_, i) => (i === axis ? low : 0)),
      high: x.shape.map((_, i) => (i === axis ? high : 0)),
      interior: x.shape.map(() => 0),
      value: 0,
    });
  if (mode === "maximum" || mode === "minimum" || mode === "mean" || mode === "linear_ramp")
    return P.concatenate([surroundings(x, axis, low, true, mode), x, surroundings(x, axis, high, false, mode)], axis);
  const source = (i: number): number => {
    switch (mode) {
      case "edge":
        return Math.min(n - 1, Math.max(0, i));
      case "wrap":
        return ((i % n) + n) % n;
      case "reflect": {
        if (n === 1) return 0;
        const period = 2 * (n - 1);
        const p = ((i % period) + period) % period;
        return p < n ? p : period - p;
      }
      case "symmetric": {
        const p = ((i % (2 * n)) + 2 * n) % (2 * n);
        return p < n ? p : 2 * n - 1 - p;
      }
      default:
        throw new TypeError(
          `pad: mode must be one of constant, edge, reflect, symmetric, wrap, empty, maximum, minimum, mean, linear_ramp. Received: "${String(mode)}".`,
        );
    }
  };
  const positions = Int32Array.from({ length: low + n + high }, (_, i) => source(i - low));
  return P.take(x, fromHost(new NDArray(positions, [positions.length], "int32")), axis, "clip");
}

/** What stands in front of or behind an axis: `count` times a statistic of it, or a ramp from 0 to its edge. */
function surroundings(
  x: Tensor,
  axis: number,
  count: number,
  before: boolean,
  mode: "maximum" | "minimum" | "mean" | "linear_ramp",
): Tensor {
  const n = x.shape[axis]!;
  const shape = x.shape.map((d, i) => (i === axis ? count : d));
  if (mode === "maximum") return P.broadcastTo(P.max(x, [axis], true), shape);
  if (mode === "minimum") return P.broadcastTo(P.min(x, [axis], true), shape);
  const wide = isFloat(x.dtype) ? x : P.cast(x, "float32");
  if (mode === "mean") {
    const mean = P.divide(P.sum(wide, [axis], true), constant(n, wide));
    const whole = x.dtype === "bool" || isFloat(x.dtype) ? mean : P.round(mean);
    return P.broadcastTo(P.cast(whole, x.dtype), shape);
  }
  const at = before ? 0 : n - 1;
  const edge = P.slice(
    wide,
    shape.map((_, i) => (i === axis ? at : 0)),
    shape.map((d, i) => (i === axis ? at + 1 : d)),
  );
  const weights = Float32Array.from({ length: count }, (_, i) => (before ? i : count - 1 - i) / count);
  const column = shape.map((_, i) => (i === axis ? count : 1));
  const ramp = P.multiply(edge, P.cast(fromHost(new NDArray(weights, column, "float32")), wide.dtype));
  return P.cast(isFloat(x.dtype) || x.dtype === "bool" ? ramp : P.floor(ramp), x.dtype);
}

/** Keeps elements on and below the k-th diagonal. */
export const tril = defineOp("numpy.Tril", (x: TensorLike, { k = 0 }: { k?: number | undefined } = {}): Tensor =>
  triangle(x, k, true),
);
/** Keeps elements on and above the k-th diagonal. */
export const triu = defineOp("numpy.Triu", (x: TensorLike, { k = 0 }: { k?: number | undefined } = {}): Tensor =>
  triangle(x, k - 1, false),
);
function triangle(x: TensorLike, k: number, lower: boolean): Tensor {
  const t = toTensor(x);
  if (t.ndim < 2) throw new RangeError(`A triangle needs at least 2 axes. Received shape [${t.shape}].`);
  const [n, m] = t.shape.slice(-2) as [number, number];
  const mask = lowerMask(n, m, k);
  const zero = constant(0, t);
  return lower ? P.select(mask, t, zero) : P.select(mask, zero, t);
}
/** Elements (i, i + offset) of the plane of two axes, as a last axis. */
export const diagonal = defineOp(
  "numpy.Diagonal",
  (
    x: TensorLike,
    {
      offset = 0,
      axis1 = 0,
      axis2 = 1,
    }: { offset?: number | undefined; axis1?: number | undefined; axis2?: number | undefined } = {},
  ): Tensor => {
    const t = toTensor(x);
    if (t.ndim < 2) throw new RangeError(`diagonal needs at least 2 axes. Received shape [${t.shape}].`);
    const [a, b] = [axisOf(axis1, t.ndim), axisOf(axis2, t.ndim)];
    if (a === b) throw new RangeError(`diagonal needs two different axes. Received: ${axis1} and ${axis2}.`);
    const rest = t.shape.map((_, i) => i).filter((i) => i !== a && i !== b);
    const moved = P.transpose(t, [a, b, ...rest]);
    const [n, m] = moved.shape as unknown as [number, number];
    const length = Math.max(0, offset >= 0 ? Math.min(n, m - offset) : Math.min(n + offset, m));
    const others = moved.shape.slice(2);
    // Row i, column i + offset is element i (m + 1) + offset of the flattened plane.
    const flat = P.reshape(moved, [n * m, ...others]);
    const start = offset >= 0 ? offset : -offset * m;
    const line =
      length === 0
        ? P.full([0, ...others], 0, t.dtype)
        : P.slice(
            flat,
            [start, ...others.map(() => 0)],
            [start + (length - 1) * (m + 1) + 1, ...others],
            [m + 1, ...others.map(() => 1)],
          );
    return P.transpose(line, [...others.map((_, i) => i + 1), 0]);
  },
);
/** Sum of a diagonal. */
export const trace = defineOp(
  "numpy.Trace",
  (
    x: TensorLike,
    options: { offset?: number | undefined; axis1?: number | undefined; axis2?: number | undefined } = {},
  ): Tensor => {
    const line = diagonal(x, options);
    const wide =
      line.dtype === "bool" || line.dtype === "int8" || line.dtype === "int16"
        ? "int32"
        : line.dtype === "uint8" || line.dtype === "uint16"
          ? "uint32"
          : line.dtype;
    return P.sum(P.cast(line, wide), [line.ndim - 1]);
  },
);
/** The k-th diagonal of a matrix, or the matrix with a vector on it. */
export const diag = defineOp("numpy.Diag", (x: TensorLike, { k = 0 }: { k?: number | undefined } = {}): Tensor => {
  const t = toTensor(x);
  if (t.ndim === 2) return diagonal(t, { offset: k });
  if (t.ndim === 1) return onDiagonal(t, k);
  throw new RangeError(`diag expects a vector or a matrix. Received shape [${t.shape}].`);
});
/** The matrix with the flattened input on its k-th diagonal. */
export const diagflat = defineOp(
  "numpy.Diagflat",
  (x: TensorLike, { k = 0 }: { k?: number | undefined } = {}): Tensor => {
    const t = toTensor(x);
    return onDiagonal(P.reshape(t, [productOf(t.shape)]), k);
  },
);
function onDiagonal(line: Tensor, k: number): Tensor {
  const n = line.shape[0]! + Math.abs(k);
  const padded = P.pad(line, { low: [Math.max(0, k)], high: [Math.max(0, -k)], interior: [0], value: 0 });
  const here = P.equal(P.add(P.iota([n, n], 0, "int32"), P.full([], k, "int32")), P.iota([n, n], 1, "int32"));
  return P.select(here, padded, constant(0, line));
}
