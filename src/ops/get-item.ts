import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { IndexEntry } from "../core/operand.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { fromTheFront } from "./indices.js";
import { type AxisIndex, resolveKey } from "./index-key.js";

type Slicing = Extract<AxisIndex, { kind: "slice" | "position" }>;

/** Cuts every axis at once; axes with a position keep size 1. */
function cut(t: Tensor, parts: readonly (Slicing | null)[]): Tensor {
  const start: number[] = [];
  const limit: number[] = [];
  const strides: number[] = [];
  const turned: number[] = [];
  parts.forEach((part, axis) => {
    const {
      start: from,
      count,
      step,
    } = !part
      ? { start: 0, count: t.shape[axis]!, step: 1 }
      : part.kind === "position"
        ? { start: part.at, count: 1, step: 1 }
        : part;
    const span = count === 0 ? 0 : (count - 1) * Math.abs(step) + 1;
    // Backwards: the same elements forwards, then turned around.
    const first = count === 0 ? 0 : step > 0 ? from : from - span + 1;
    start.push(Number.isNaN(first) ? 0 : first);
    limit.push(first + span);
    strides.push(Math.abs(step));
    if (step < 0) turned.push(axis);
  });
  const forward = P.slice(t, start, limit, strides);
  return turned.length > 0 ? P.reverse(forward, turned) : forward;
}

/** Replaces the axes that arrays index by the arrays' common shape: in their place when they are neighbours, else in front. */
function pickElements(t: Tensor, arrays: readonly { axis: number; indices: Tensor }[], areNeighbours: boolean): Tensor {
  const shape = arrays.map(({ indices }) => indices.shape).reduce((a, b) => P.broadcastShapes(a, b, "getItem"));
  const indices = arrays.map((array) => P.broadcastTo(fromTheFront(array.indices, t.shape[array.axis]!), shape));
  const axes = arrays.map(({ axis }) => axis);
  if (arrays.length === 1) return P.take(t, indices[0]!, axes[0]!, "clip");
  const rest = t.shape.map((_, i) => i).filter((i) => !axes.includes(i));
  const vectors = P.concatenate(
    indices.map((x) => P.reshape(x, [...shape, 1])),
    shape.length,
  );
  const picked = P.gather(P.transpose(t, [...axes, ...rest]), vectors, "clip");
  if (!areNeighbours) return picked;
  const before = rest.filter((i) => i < axes[0]!).length;
  const lead = shape.map((_, i) => i);
  const others = rest.map((_, i) => i + shape.length);
  return P.transpose(picked, [...others.slice(0, before), ...lead, ...others.slice(before)]);
}

function itemOf(x: TensorLike, key: IndexEntry | readonly IndexEntry[]): Tensor {
  const t = toTensor(x);
  const entries = resolveKey(key, t.shape);
  const onAxes = entries.filter((entry) => entry.kind !== "new" && entry.kind !== "gap");
  const hasArrays = onAxes.some(({ kind }) => kind === "array");
  const sliced = cut(
    t,
    onAxes.map((entry) => (entry.kind === "array" ? null : entry)),
  );
  // Positions are gone, new axes are there; beside arrays a position counts as an array of no axes.
  const shape: number[] = [];
  const arrays: { axis: number; indices: Tensor; entry: number }[] = [];
  let axis = 0;
  entries.forEach((entry, i) => {
    if (entry.kind === "new") shape.push(1);
    else if (entry.kind !== "gap") {
      const size = sliced.shape[axis++]!;
      if (entry.kind === "array") arrays.push({ axis: shape.length, indices: entry.indices, entry: i });
      else if (entry.kind === "position" && hasArrays)
        arrays.push({ axis: shape.length, indices: P.full([], 0, "int32"), entry: i });
      if (entry.kind !== "position" || hasArrays) shape.push(size);
    }
  });
  const reshaped = P.reshape(sliced, shape);
  if (!hasArrays) return reshaped;
  const areNeighbours = arrays.every((array, i) => i === 0 || array.entry === arrays[i - 1]!.entry + 1);
  return pickElements(reshaped, arrays, areNeighbours);
}

/**
 * `x[key]` by NumPy's rules. A key is an integer, a slice, null (a new axis), "..." (all axes between), an integer or boolean array, or
 * a list of those. Indices in arrays that lie outside count as the nearest inside; the number of true elements of a mask has to be read.
 */
export const getItem = defineOp("numpy.GetItem", itemOf);
