import type { Shape } from "../../core/dtype.js";
import type { NDArray } from "../../core/ndarray.js";
import type { Reduction } from "./loops/reduction.js";
import { coalesce } from "./strided.js";

/** An inner loop shorter than this does not pay for its call; a longer axis takes its place. */
const SHORT = 8;

/**
 * Folds `x` over `axes` into accumulators that begin with `initial`, one for each element of the rest, in row-major
 * order. Reads the elements where they lie, in the order of memory, whatever the strides.
 */
export function reduceInto<L>(
  x: NDArray,
  axes: readonly number[],
  reduction: Reduction<L>,
  initial: number,
): Float64Array {
  const kept = keptStrides(x.shape, axes);
  const sums = new Float64Array(kept.size).fill(initial);
  if (x.size === 0) return sums;
  const nest = coalesce(x.shape, [x.strides, kept.strides]);
  const [from, to] = nest.strides as [number[], number[]];
  const sizes = nest.shape;
  const data = x.data as L;
  const { row, column, join } = reduction;
  if (sizes.length === 0) {
    sums[0] = join(initial, row(1, data, x.offset, 0));
    return sums;
  }
  const order = sizes.map((_, i) => i).sort((i, j) => Math.abs(from[j]!) - Math.abs(from[i]!) || i - j);
  let inner = order.length - 1;
  if (sizes[order[inner]!]! < SHORT) {
    for (let k = 0; k < order.length; k++) if (sizes[order[k]!]! > sizes[order[inner]!]!) inner = k;
  }
  const axis = order.splice(inner, 1)[0]!;
  const [n, step, sStep] = [sizes[axis]!, from[axis]!, to[axis]!];
  const visit = (depth: number, at: number, s: number): void => {
    if (depth === order.length) {
      if (sStep === 0) sums[s] = join(sums[s]!, row(n, data, at, step));
      else column(n, data, at, step, sums, s, sStep);
      return;
    }
    const outer = order[depth]!;
    const [size, xStep, kStep] = [sizes[outer]!, from[outer]!, to[outer]!];
    for (let i = 0; i < size; i++) visit(depth + 1, at + i * xStep, s + i * kStep);
  };
  visit(0, x.offset, 0);
  return sums;
}

/** Row-major strides of the axes that stay, 0 for those that go. */
function keptStrides(shape: Shape, axes: readonly number[]): { strides: number[]; size: number } {
  const strides = new Array<number>(shape.length).fill(0);
  let size = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (axes.includes(axis)) continue;
    strides[axis] = size;
    size *= shape[axis]!;
  }
  return { strides, size };
}
