import { type DType, isFloat, isUnsigned, type Shape } from "../../../core/dtype.js";
import type { OutOfRange } from "../../../primitives/index.js";
import {
  type A,
  at,
  count,
  lessEqual,
  like,
  maximum,
  minimum,
  not,
  or,
  reshape,
  scalar,
  slice,
  transpose,
  where,
} from "../ops.js";
import type { Lowerings } from "./lowering.js";

/** What an index outside reads in "fill" mode. */
const fillOf = (dtype: DType): number => {
  if (isFloat(dtype)) return NaN;
  if (dtype === "bool") return 1;
  return isUnsigned(dtype) ? 0xffffffff : -0x80000000;
};
const inside = (index: A, size: number): A =>
  lessEqual(maximum(index, scalar(0, "int32")), minimum(index, scalar(size - 1, "int32")));
const clip = (index: A, size: number): A => minimum(maximum(index, scalar(0, "int32")), scalar(size - 1, "int32"));

/** `found` where `valid` holds, which broadcasts after axes of size 1 were put behind it. */
function guarded(found: A, valid: A, mode: OutOfRange, dtype: DType): A {
  if (mode === "clip") return found;
  return where(valid, found, like(found, mode === "zero" ? 0 : fillOf(dtype)));
}
const trailing = (x: A, rank: number): A => reshape(x, [...x.shape, ...Array.from({ length: rank }, () => 1)]);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

function take(x: A, indices: A, axis: number, mode: OutOfRange): A {
  const size = x.shape[axis]!;
  const k = indices.shape.length;
  const rank = x.shape.length - 1;
  // The indexed axis in front, the slices taken, and the axes of the indices put in its place.
  const front = transpose(x, [axis, ...range(0, axis), ...range(axis + 1, x.shape.length)]);
  const found = guarded(
    at(front, [clip(indices, size)]),
    trailing(inside(indices, size), rank),
    mode,
    x.dtype as DType,
  );
  return transpose(found, [...range(k, k + axis), ...range(0, k), ...range(k + axis, k + rank)]);
}

function takeAlongAxis(x: A, indices: A, axis: number, mode: OutOfRange): A {
  const size = x.shape[axis]!;
  const positions = x.shape.map((_, i) => (i === axis ? clip(indices, size) : count(indices.shape, i)));
  return guarded(at(x, positions), inside(indices, size), mode, x.dtype as DType);
}

function gather(x: A, indices: A, mode: OutOfRange): A {
  const lead = indices.shape.slice(0, -1);
  const depth = indices.shape.at(-1)!;
  const columns = range(0, depth).map((i) =>
    reshape(slice(indices, [...lead.map(() => 0), i], [...lead, i + 1]), lead),
  );
  const found = at(
    x,
    columns.map((c, i) => clip(c, x.shape[i]!)),
  );
  const outside = columns.map((c, i) => not(inside(c, x.shape[i]!))).reduce(or);
  return guarded(found, trailing(not(outside), x.shape.length - depth), mode, x.dtype as DType);
}

const axesMatch = (x: Shape, indices: Shape, axis: number): boolean =>
  x.every((d, i) => i === axis || indices[i] === d);

/** Reads at computed positions, which jax-js wants inside. Writes are left to the built-in engine. */
export const indexingLowerings = {
  take: { lower: ([x, indices], { axis, mode }) => [take(x!, indices!, axis, mode)] },
  takeAlongAxis: {
    when: ([x, indices], { axis }) => axesMatch(x!.shape, indices!.shape, axis),
    lower: ([x, indices], { axis, mode }) => [takeAlongAxis(x!, indices!, axis, mode)],
  },
  gather: {
    when: ([, indices]) => indices!.shape.at(-1)! > 0,
    lower: ([x, indices], { mode }) => [gather(x!, indices!, mode)],
  },
} satisfies Lowerings;
