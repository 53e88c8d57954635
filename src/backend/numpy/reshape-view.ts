import type { Shape } from "../../core/dtype.js";
import { NDArray, rowMajorStrides } from "../../core/ndarray.js";
import { coalesce } from "./strided.js";
import { materialize } from "./strided-copy.js";

/** Strides under which the memory of `x` reads as `shape`, or null when no strides do. */
function stridesFor(x: NDArray, shape: Shape): number[] | null {
  if (x.size === 0 || x.isContiguous) return rowMajorStrides(shape);
  const nest = coalesce(x.shape, [x.strides]);
  const [sizes, steps] = [nest.shape, nest.strides[0]!];
  const strides = new Array<number>(shape.length).fill(0);
  // From the last axis: each group of evenly spaced elements is cut into new axes.
  let group = sizes.length - 1;
  let left = group >= 0 ? sizes[group]! : 1;
  let step = group >= 0 ? steps[group]! : 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const dim = shape[axis]!;
    if (dim === 1) continue;
    if (left === 1 && group > 0) {
      group--;
      left = sizes[group]!;
      step = steps[group]!;
    }
    if (left % dim !== 0) return null;
    strides[axis] = step;
    step *= dim;
    left /= dim;
  }
  return strides;
}

/** `x` under another shape of equal size: a view where strides can say it, else a copy. */
export function reshapeView(x: NDArray, shape: Shape): NDArray {
  const strides = stridesFor(x, shape);
  return strides
    ? new NDArray(x.data, shape, x.dtype, strides, x.offset)
    : new NDArray(materialize(x).data, shape, x.dtype);
}
