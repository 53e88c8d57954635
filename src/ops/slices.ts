import { toTensor } from "../core/convert.js";
import { readNow } from "../core/host.js";
import { NDArray } from "../core/ndarray.js";
import { defineOp } from "../core/op.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { axisOf } from "./support.js";

/** Where a window begins: numbers, or tensors where it is known later. */
export type StartIndices = TensorLike | readonly TensorLike[];

const isPlain = (start: StartIndices): start is readonly number[] =>
  Array.isArray(start) && start.every((x) => typeof x === "number");

/** `start` as an int32 vector; negative entries count from the end. */
function startTensor(start: StartIndices, shape: readonly number[]): Tensor {
  const mixed = Array.isArray(start) && start.some((x) => typeof x === "object");
  const raw = mixed
    ? P.concatenate(
        (start as readonly TensorLike[]).map((x) => P.reshape(toTensor(x, "int32"), [1])),
        0,
      )
    : toTensor(start as TensorLike, "int32");
  if (raw.ndim !== 1 || (raw.shape[0] !== shape.length && !Number.isNaN(raw.shape[0])))
    throw new RangeError(
      `A slice of a tensor of rank ${shape.length} needs ${shape.length} start indices. Received shape [${raw.shape}].`,
    );
  if (shape.some(Number.isNaN)) return raw;
  const sizes = fromHost(new NDArray(Int32Array.from(shape), [shape.length], "int32"));
  return P.select(P.less(raw, P.full([], 0, "int32")), P.add(raw, sizes), raw);
}
/** A window's first index, moved so that the window fits. */
function fittingStart(start: number, size: number, dim: number): number {
  if (Number.isNaN(dim) || Number.isNaN(size)) return start;
  return Math.max(0, Math.min(start < 0 ? start + dim : start, dim - size));
}

/** The window of `shape` that begins at `startIndices`, moved inside where it would reach out; a size of -1 means to the end. */
export const slice = defineOp(
  "core.Slice",
  (inputs: TensorLike, startIndices: StartIndices, shape: readonly number[]): Tensor => {
    const t = toTensor(inputs);
    if (shape.length !== t.ndim || (Array.isArray(startIndices) && startIndices.length !== t.ndim))
      throw new RangeError(
        `slice: startIndices and shape need one entry for each of the ${t.ndim} axes of [${t.shape}]. Received shape [${shape}].`,
      );
    const open = shape.includes(-1);
    if (isPlain(startIndices)) {
      const sizes = shape.map((s, i) => (s === -1 ? t.shape[i]! - startIndices[i]! : s));
      const start = startIndices.map((s, i) => fittingStart(s, sizes[i]!, t.shape[i]!));
      checkSizes(sizes, t.shape);
      return P.slice(
        t,
        start,
        start.map((s, i) => s + sizes[i]!),
      );
    }
    const start = startTensor(startIndices, t.shape);
    const known = open ? readNow(start, "slice")?.numbers() : undefined;
    const sizes = shape.map((s, i) => (s === -1 ? t.shape[i]! - (known?.[i] ?? NaN) : s));
    checkSizes(sizes, t.shape);
    return P.dynamicSlice(t, start, sizes);
  },
  { static: ["shape"] },
);
function checkSizes(sizes: readonly number[], shape: readonly number[]): void {
  sizes.forEach((size, i) => {
    if (size < 0 || size > shape[i]!)
      throw new RangeError(`slice: a window of [${sizes}] does not fit into a tensor of shape [${shape}].`);
  });
}

/** `inputs` with the window that begins at `startIndices` replaced by `updates`; the window is moved inside where it would reach out. */
export const sliceUpdate = defineOp(
  "core.SliceUpdate",
  (inputs: TensorLike, startIndices: StartIndices, updates: TensorLike): Tensor => {
    const t = toTensor(inputs);
    const window = toTensor(updates, t.dtype);
    if (window.ndim !== t.ndim || window.shape.some((d, i) => d > t.shape[i]!))
      throw new RangeError(`sliceUpdate: updates of shape [${window.shape}] do not fit into shape [${t.shape}].`);
    return P.dynamicUpdateSlice(t, window, startTensor(startIndices, t.shape));
  },
);

/** The slices of `x` along `axis`, without that axis. `num` is needed only where the size of the axis is unknown. */
export const unstack = defineOp(
  "core.Unstack",
  (
    x: TensorLike,
    { num = null, axis = 0 }: { num?: number | null | undefined; axis?: number | undefined } = {},
  ): Tensor[] => {
    const t = toTensor(x);
    const at = axisOf(axis, t.ndim);
    const dim = t.shape[at]!;
    const count = Number.isNaN(dim) ? num : dim;
    if (count === null)
      throw new RangeError(`unstack: the size of axis ${axis} is unknown. Give the number of slices as \`num\`.`);
    const rest = t.shape.filter((_, i) => i !== at);
    return Array.from({ length: count }, (_, k) =>
      P.reshape(
        P.slice(
          t,
          t.shape.map((_, i) => (i === at ? k : 0)),
          t.shape.map((d, i) => (i === at ? k + 1 : d)),
        ),
        rest,
      ),
    );
  },
);
