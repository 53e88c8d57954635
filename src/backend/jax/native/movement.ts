import type { Shape } from "../../../core/dtype.js";
import type { PadAttributes, SliceAttributes } from "../../../primitives/index.js";
import {
  type A,
  add,
  broadcastTo,
  cast,
  concatenate,
  count,
  like,
  padZeros,
  reshape,
  reverse,
  scalar,
  slice,
  transpose,
  where,
} from "../ops.js";
import type { Lowerings } from "./lowering.js";
import { everyNth } from "./windows.js";

/** Every `stride`-th element of an axis; jax-js itself has no strides. */
export const stridedSlice = (x: A, { start, limit, strides }: SliceAttributes): A =>
  strides.reduce((view, step, axis) => everyNth(view, axis, step), slice(x, start, limit));

/** Zeros around the elements and `interior` of them between neighbours; negative margins cut. */
export function spread(x: A, { low, high, interior }: Omit<PadAttributes, "value">): A {
  let wide = x;
  if (interior.some((n) => n > 0)) {
    const apart = x.shape.map((d, i) => [d, interior[i]! + 1] as const);
    const rows = reshape(
      x,
      x.shape.flatMap((d) => [d, 1]),
    );
    const filled = padZeros(
      rows,
      rows.shape.map(() => 0),
      interior.flatMap((n) => [0, n]),
    );
    const joined = reshape(
      filled,
      apart.map(([d, step]) => d * step),
    );
    wide = slice(
      joined,
      low.map(() => 0),
      apart.map(([d, step]) => d * step - step + 1),
    );
  }
  const cut = slice(
    wide,
    low.map((n) => Math.max(0, -n)),
    wide.shape.map((d, i) => d - Math.max(0, -high[i]!)),
  );
  return padZeros(
    cut,
    low.map((n) => Math.max(0, n)),
    high.map((n) => Math.max(0, n)),
  );
}
/** `spread` with any value in place of the zeros. */
export function pad(x: A, { value, ...margins }: PadAttributes): A {
  if (value === 0) return spread(x, margins);
  const inside = spread(broadcastTo(scalar(1, "int32"), x.shape), margins);
  return where(cast(inside, "bool"), spread(x, margins), like(x, value));
}

/** Whether a negative margin cuts more than there is, which slices cannot. */
const cutsAll = (shape: Shape, { low, high, interior }: PadAttributes): boolean =>
  shape.some((d, i) => Math.max(0, -low[i]!) + Math.max(0, -high[i]!) >= d + (d - 1) * interior[i]!);

/** jax-js joins arrays by adding them up, each with zeros around it; of bools that would be a question of luck. */
export function join(xs: readonly A[], axis: number): A {
  if ((xs[0]!.dtype as string) !== "bool") return concatenate(xs, axis);
  return cast(
    concatenate(
      xs.map((x) => cast(x, "int32")),
      axis,
    ),
    "bool",
  );
}

/** Primitives that make and move elements. */
export const movementLowerings = {
  full: { lower: (_, { shape, value, dtype }) => [broadcastTo(scalar(value, dtype), shape)] },
  iota: {
    lower: (_, { shape, axis, dtype }) => [
      cast(broadcastTo(add(count(shape, axis), scalar(0, "int32")), shape), dtype),
    ],
  },
  reshape: { lower: ([x], { shape }) => [reshape(x!, shape)] },
  transpose: { lower: ([x], { permutation }) => [transpose(x!, permutation)] },
  broadcastTo: { lower: ([x], { shape }) => [broadcastTo(x!, shape)] },
  slice: { lower: ([x], attributes) => [stridedSlice(x!, attributes)] },
  pad: {
    when: ([x], attributes) => !cutsAll(x!.shape, attributes),
    lower: ([x], attributes) => [
      (x!.dtype as string) === "bool" ? cast(pad(cast(x!, "int32"), attributes), "bool") : pad(x!, attributes),
    ],
  },
  reverse: { lower: ([x], { axes }) => [reverse(x!, axes)] },
  concatenate: { lower: (xs, { axis }) => [join(xs, axis)] },
} satisfies Lowerings;
