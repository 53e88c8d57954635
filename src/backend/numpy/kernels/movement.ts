import type { Shape } from "../../../core/dtype.js";
import { allocate, NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { indexValues } from "../index-values.js";
import { scalarArray } from "../scalar.js";
import { broadcastStrides } from "../strided.js";
import { copyInto, materialize } from "../strided-copy.js";
import { reshapeView } from "../reshape-view.js";

/** A view onto part of `x`. */
const window = (x: NDArray, shape: Shape, strides: readonly number[], offset: number): NDArray =>
  new NDArray(x.data, shape, x.dtype, strides, offset);

/** A view, or a copy where the view would hold on to far more memory than it shows. */
function economical(view: NDArray): NDArray {
  return view.size * 4 < view.data.length ? materialize(view) : view;
}

const fresh = (shape: Shape, like: NDArray): NDArray =>
  new NDArray(allocate(like.dtype, sizeOf(shape)), shape, like.dtype);

/** Offset of the element at `start`. */
const offsetAt = (x: NDArray, start: readonly number[]): number =>
  start.reduce((at, s, axis) => at + s * x.strides[axis]!, x.offset);

/** Starts of a window of `sizes`, moved to where the window lies inside. */
function clampedStart(start: NDArray, shape: Shape, sizes: Shape): number[] {
  const values = indexValues(start);
  return shape.map((dim, axis) => Math.max(0, Math.min(values[axis]!, dim - sizes[axis]!)));
}

export const movementKernels = {
  reshape: ([x], { shape }) => [reshapeView(x!, shape)],
  transpose: ([x], { permutation }) => [x!.transpose(permutation)],
  broadcastTo: ([x], { shape }) => [window(x!, shape, broadcastStrides(x!, shape), x!.offset)],
  slice: ([x], { start, strides }, [spec]) => [
    economical(
      window(
        x!,
        spec!.shape,
        strides.map((s, axis) => s * x!.strides[axis]!),
        sizeOf(spec!.shape) === 0 ? 0 : offsetAt(x!, start),
      ),
    ),
  ],
  pad: ([x], { low, interior, value }, [spec]) => {
    const out = fresh(spec!.shape, x!);
    if (value !== 0 || Object.is(value, -0)) fillWith(out, value);
    if (out.size === 0 || x!.size === 0) return [out];
    // The elements of each axis that land inside: the first and the last whose new place is not cut off.
    const shape: number[] = [];
    const from: number[] = [];
    const strides: number[] = [];
    let offset = 0;
    for (let axis = 0; axis < out.ndim; axis++) {
      const step = interior[axis]! + 1;
      const first = Math.max(0, Math.ceil(-low[axis]! / step));
      const end = Math.min(x!.shape[axis]!, Math.floor((out.shape[axis]! - 1 - low[axis]!) / step) + 1);
      if (end <= first) return [out];
      shape.push(end - first);
      from.push(first);
      strides.push(step * out.strides[axis]!);
      offset += (low[axis]! + first * step) * out.strides[axis]!;
    }
    copyInto(window(x!, shape, x!.strides, offsetAt(x!, from)), window(out, shape, strides, offset));
    return [out];
  },
  reverse: ([x], { axes }) => {
    const strides = x!.strides.map((s, axis) => (axes.includes(axis) ? -s : s));
    const last = x!.shape.map((dim, axis) => (axes.includes(axis) ? Math.max(0, dim - 1) : 0));
    return [materialize(window(x!, x!.shape, strides, offsetAt(x!, last)))];
  },
  concatenate: (inputs, { axis }, [spec]) => {
    const out = fresh(spec!.shape, inputs[0]!);
    let at = 0;
    for (const x of inputs) {
      copyInto(x, window(out, x.shape, out.strides, at * out.strides[axis]!));
      at += x.shape[axis]!;
    }
    return [out];
  },
  dynamicSlice: ([x, start], { sizes }) => [
    economical(window(x!, sizes, x!.strides, offsetAt(x!, clampedStart(start!, x!.shape, sizes)))),
  ],
  dynamicUpdateSlice: ([x, update, start]) => {
    const out = materialize(x!);
    const at = offsetAt(out, clampedStart(start!, out.shape, update!.shape));
    copyInto(update!, window(out, update!.shape, out.strides, at));
    return [out];
  },
} satisfies Partial<Kernels<NDArray>>;

function fillWith(out: NDArray, value: number): void {
  const one = scalarArray(value, out.dtype).data;
  if (out.dtype !== "complex64") (out.data as Float32Array).fill(one[0] as number);
  else for (let i = 0; i < out.size; i++) out.data[2 * i] = one[0]!;
}
