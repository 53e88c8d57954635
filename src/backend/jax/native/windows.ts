import type { Shape } from "../../../core/dtype.js";
import {
  type A,
  and,
  broadcastTo,
  count,
  less,
  lessEqual,
  like,
  repeated,
  reshape,
  scalar,
  slice,
  stored,
  transpose,
  where,
} from "../ops.js";

const replaced = (shape: Shape, axis: number, ...sizes: number[]): number[] => [
  ...shape.slice(0, axis),
  ...sizes,
  ...shape.slice(axis + 1),
];
/** Elements from `start` to before `limit` on one axis. */
export const part = (x: A, axis: number, start: number, limit: number): A =>
  slice(
    x,
    x.shape.map((_, i) => (i === axis ? start : 0)),
    x.shape.map((d, i) => (i === axis ? limit : d)),
  );

/**
 * The windows of `size` neighbours, `step` apart, that lie on an axis, which becomes two: [..., number of windows, size, ...]. It is a view,
 * and although windows overlap one with a single stride for each axis: rows of length L + 1 cut from repetitions of rows of length L start
 * one element further each time.
 */
export function windows(x: A, axis: number, size: number, step: number): A {
  const { shape } = x;
  const length = shape[axis]!;
  const number = Math.floor((length - size) / step) + 1;
  const row = length * Math.max(1, Math.ceil((number * step - 1) / length)) + 1;
  const times = Math.ceil((size * row) / length);
  const again = broadcastTo(reshape(x, replaced(shape, axis, 1, length)), replaced(shape, axis, times, length));
  const line = part(reshape(again, replaced(shape, axis, times * length)), axis, 0, size * row);
  const shifted = part(reshape(line, replaced(shape, axis, size, row)), axis + 1, 0, number * step);
  const steps = part(reshape(shifted, replaced(shape, axis, size, number, step)), axis + 2, 0, 1);
  const sizes = reshape(steps, replaced(shape, axis, size, number));
  return transpose(
    sizes,
    sizes.shape.map((_, i) => (i === axis ? axis + 1 : i === axis + 1 ? axis : i)),
  );
}
/** Every `step`-th element of an axis, from its first on, as a view. */
export const everyNth = (x: A, axis: number, step: number): A =>
  step === 1
    ? x
    : reshape(windows(x, axis, 1, step), replaced(x.shape, axis, Math.floor((x.shape[axis]! - 1) / step) + 1));

/** For a shape [1, ...inner, 1] whether each position is one of `inner`, which begins at `low`, written to memory. */
function inside(inner: Shape, low: Shape, outer: Shape): A {
  const shape = [1, ...outer, 1];
  const sides = inner.map((size, i) => {
    const position = count(shape, i + 1);
    return and(lessEqual(scalar(low[i]!, "int32"), position), less(position, scalar(low[i]! + size, "int32")));
  });
  return stored(broadcastTo(sides.reduce(and), shape));
}

/**
 * `images` of [images, ...spatial, channels], the first of them again after the last, with zeros around them, in memory. Reading beyond an
 * image meets its neighbours, so that jax-js can read vectors; what comes from there is replaced by zeros.
 */
export function framed(x: A, low: Shape, high: Shape, images: number): A {
  const [batch, ...rest] = x.shape as [number, ...number[]];
  const channels = rest.at(-1)!;
  const inner = rest.slice(0, -1);
  const outer = inner.map((d, i) => d + low[i]! + high[i]!);
  const strides = rest.map((_, i) => rest.slice(i + 1).reduce((n, d) => n * d, 1));
  const imageSize = rest[0]! * strides[0]!;
  const reach = (margin: Shape): number => margin.reduce((sum, n, i) => sum + n * strides[i]!, 0);
  const before = Math.ceil(reach(low) / imageSize);
  const after = Math.ceil(reach(high) / imageSize);
  const around = stored(repeated(x, images + before + after, -before - Math.floor(-before / batch) * batch));
  const flat = reshape(around, [(images + before + after) * imageSize]);
  const sizeFrom = (axis: number): number =>
    outer.slice(axis).reduce((sum, d, i) => sum + (d - 1) * strides[axis + i]!, channels);
  const start = before * imageSize - reach(low);
  let view = windows(part(flat, 0, start, start + (images - 1) * imageSize + sizeFrom(0)), 0, sizeFrom(0), imageSize);
  outer.forEach((_, axis) => (view = windows(view, axis + 1, sizeFrom(axis + 1), strides[axis]!)));
  return stored(where(inside(inner, low, outer), view, like(x, 0)));
}
