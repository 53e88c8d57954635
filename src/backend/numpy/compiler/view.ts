import type { DType, Shape } from "../../../core/dtype.js";
import { rowMajorStrides, sizeOf } from "../../../core/ndarray.js";
import { mergeAxes } from "../wasm/merge-axes.js";

/** A piece of memory that one instruction writes, or that a program is given: contiguous elements of one dtype. */
export interface Root {
  readonly id: number;
  readonly kind: "input" | "constant" | "temporary";
  readonly dtype: DType;
  readonly size: number;
}

/** Elements of a root seen through a shape and strides (in elements; 0 repeats). */
export interface View {
  readonly root: Root;
  /** May differ from the root's where bits are read as another type. */
  readonly dtype: DType;
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** All of a root, under a shape of its size. */
export const wholeOf = (root: Root, shape: Shape): View => ({
  root,
  dtype: root.dtype,
  shape,
  strides: rowMajorStrides(shape),
  offset: 0,
});

/** Whether the view's elements lie in row-major order without gaps. */
export function isContiguous({ shape, strides }: Pick<View, "shape" | "strides">): boolean {
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] === 1) continue;
    if (strides[axis] !== step) return false;
    step *= shape[axis]!;
  }
  return true;
}
/** Whether the view is its whole root in order, so that flat positions agree. */
export const isWhole = (view: View): boolean =>
  view.offset === 0 && isContiguous(view) && sizeOf(view.shape) === view.root.size;

/** The view under another shape of the same size, or null when its strides cannot express that. */
export function reshapeView(view: View, shape: Shape): View | null {
  if (isContiguous(view) || sizeOf(shape) === 0) return { ...view, shape, strides: rowMajorStrides(shape) };
  const from = merged(view);
  const strides = new Array<number>(shape.length).fill(0);
  let axis = from.sizes.length - 1;
  let left = axis >= 0 ? from.sizes[axis]! : 1;
  let step = axis >= 0 ? from.steps[axis]! : 0;
  for (let i = shape.length - 1; i >= 0; i--) {
    const dim = shape[i]!;
    if (dim === 1) continue;
    if (left === 1 && axis > 0) {
      axis--;
      left = from.sizes[axis]!;
      step = from.steps[axis]!;
    }
    if (left % dim !== 0) return null;
    strides[i] = step;
    step *= dim;
    left /= dim;
  }
  return { ...view, shape, strides };
}

export const transposeView = (view: View, permutation: readonly number[]): View => ({
  ...view,
  shape: permutation.map((i) => view.shape[i]!),
  strides: permutation.map((i) => view.strides[i]!),
});

/** The view repeated to `shape` by NumPy's rule. */
export function broadcastView(view: View, shape: Shape): View {
  const lead = shape.length - view.shape.length;
  return {
    ...view,
    shape,
    strides: shape.map((dim, i) =>
      i < lead || (view.shape[i - lead] === 1 && dim !== 1) ? 0 : view.strides[i - lead]!,
    ),
  };
}

export function sliceView(view: View, start: readonly number[], steps: readonly number[], shape: Shape): View {
  return {
    ...view,
    shape,
    strides: view.strides.map((s, i) => s * steps[i]!),
    offset: view.offset + start.reduce((sum, n, i) => sum + n * view.strides[i]!, 0),
  };
}

export const reverseView = (view: View, axes: readonly number[]): View =>
  view.shape.includes(0)
    ? view
    : {
        ...view,
        strides: view.strides.map((s, i) => (axes.includes(i) ? -s : s)),
        offset: view.offset + axes.reduce((sum, i) => sum + (view.shape[i]! - 1) * view.strides[i]!, 0),
      };

/** One size and stride that walk over the given axes of a view in order, or null when there is none. */
export function collapse(view: View, axes: readonly number[]): { size: number; stride: number } | null {
  const { sizes, steps } = merged({
    shape: axes.map((i) => view.shape[i]!),
    strides: axes.map((i) => view.strides[i]!),
  });
  if (sizes.length === 0) return { size: 1, stride: 0 };
  return sizes.length === 1 ? { size: sizes[0]!, stride: steps[0]! } : null;
}

/** Sizes and steps of the view with neighbouring axes joined where one stride walks over both. */
export const merged = ({ shape, strides }: Pick<View, "shape" | "strides">): ReturnType<typeof mergeAxes> =>
  mergeAxes(shape, strides);
