import { resultType } from "../../core/convert.js";
import { isFloat, isInteger } from "../../core/dtype.js";
import type { Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { constant } from "../support.js";
import { castResult, roundAway } from "./support.js";

/** What lies outside an axis of a given size: the position inside that an int32 position stands for. */
type Fill = (index: Tensor, size: number) => Tensor;

const i32 = (n: number): Tensor => P.full([], n, "int32");
/** Remainder in [0, n). */
function floorMod(x: Tensor, n: number): Tensor {
  const r = P.remainder(x, i32(n));
  return P.select(P.less(r, i32(0)), P.add(r, i32(n)), r);
}
const mirror: Fill = (index, size) => {
  const half = size - 1;
  return P.abs(P.subtract(floorMod(P.add(index, i32(half)), 2 * half), i32(half)));
};
/** Edge elements count twice: mirroring in steps of half an element. */
const reflect: Fill = (index, size) => {
  const odd = P.add(P.multiply(index, i32(2)), i32(1));
  return P.divide(P.subtract(mirror(odd, 2 * size + 1), i32(1)), i32(2));
};
const nearest: Fill = (index, size) => P.minimum(P.maximum(index, i32(0)), i32(size - 1));
/** Fill modes by name; with "constant" nothing outside is read. */
export const fillModes: Readonly<Record<"constant" | "nearest" | "wrap" | "mirror" | "reflect", Fill>> = {
  constant: nearest,
  nearest,
  wrap: floorMod,
  mirror: (index, size) => (size === 1 ? P.multiply(index, i32(0)) : mirror(index, size)),
  reflect,
};
export type FillMode = keyof typeof fillModes;

/** Interpolations by name: the order of their splines. */
export const interpolationOrders = { nearest: 0, bilinear: 1 } as const;

export interface Axis {
  /** Where to read along the axis, in elements. */
  readonly coordinates: Tensor;
  readonly size: number;
  /** Rows between neighbours. */
  readonly stride: number;
}
export interface Interpolation {
  /** 0 takes the nearest element, 1 interpolates linearly. */
  readonly order: 0 | 1;
  readonly fillMode: FillMode;
  readonly fillValue: number;
}
/** One or two neighbours along an axis: position, share, and whether it lies inside. */
interface Node {
  readonly row: Tensor;
  readonly weight: Tensor | null;
  readonly inside: Tensor;
}

function nodesOf({ coordinates, size, stride }: Axis, { order, fillMode }: Interpolation): Node[] {
  const node = (index: Tensor, weight: Tensor | null): Node => ({
    row: P.multiply(fillModes[fillMode](index, size), i32(stride)),
    weight,
    inside: P.logicalAnd(P.greaterEqual(index, i32(0)), P.less(index, i32(size))),
  });
  if (order === 0) {
    const rounded = isInteger(coordinates.dtype) ? coordinates : roundAway(coordinates);
    return [node(P.cast(rounded, "int32"), null)];
  }
  const lower = P.floor(coordinates);
  const share = P.subtract(coordinates, P.stopGradient(lower));
  const index = P.cast(lower, "int32");
  return [node(index, P.subtract(constant(1, share), share)), node(P.add(index, i32(1)), share)];
}

/**
 * Reads an array, given as `rows` [positions, ...channels], at coordinates along some axes: [...coordinates, ...channels]. `first` is the
 * row where the axes of each coordinate begin; 0 when null. Integers are rounded, halves away from zero.
 */
export function interpolate(rows: Tensor, first: Tensor | null, axes: readonly Axis[], how: Interpolation): Tensor {
  const channels = rows.shape.slice(1).map(() => 1);
  const spread = (x: Tensor): Tensor => (channels.length > 0 ? P.reshape(x, [...x.shape, ...channels]) : x);
  const dtype = how.order === 0 ? rows.dtype : resultType(rows, axes[0]!.coordinates);
  const outside = P.full([], how.fillValue, rows.dtype);

  const parts = axes
    .reduce<Node[][]>(
      (chosen, axis) => {
        const nodes = nodesOf(axis, how);
        return chosen.flatMap((before) => nodes.map((node) => [...before, node]));
      },
      [[]],
    )
    .map((nodes) => {
      const row = nodes.map((n) => n.row).reduce((sum, r) => P.add(sum, r));
      const values = P.take(rows, first ? P.add(row, first) : row, 0, "clip");
      const inside = nodes.map((n) => n.inside).reduce((all, b) => P.logicalAnd(all, b));
      const known = how.fillMode === "constant" ? P.select(spread(inside), values, outside) : values;
      const weights = nodes.flatMap((n) => (n.weight ? [n.weight] : []));
      if (weights.length === 0) return known;
      const weight = P.cast(
        weights.reduce((product, w) => P.multiply(product, w)),
        dtype,
      );
      return P.multiply(spread(weight), P.cast(known, dtype));
    });
  const sum = parts.reduce((total, part) => P.add(total, part));
  return isFloat(sum.dtype) ? castResult(sum, rows.dtype, roundAway) : sum;
}
