import { promoted, toTensor } from "../core/convert.js";
import { readNow } from "../core/host.js";
import { isSpecMode } from "../core/interpreter.js";
import { defineOp } from "../core/op.js";
import { Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { joined } from "./joined.js";
import { axesOf, axisOf, productOf } from "./support.js";

/** The same elements under another shape; one dimension may be -1. */
export const reshape = defineOp(
  "numpy.Reshape",
  (x: TensorLike, newshape: number | Tensor | readonly (number | null | Tensor)[]): Tensor => {
    const t = toTensor(x);
    const wanted = sizesOf(newshape);
    if (Array.isArray(newshape) && newshape.filter((d) => d === -1).length > 1)
      throw new RangeError(`reshape: only one dimension may be -1. Received: [${wanted}].`);
    const known = productOf(wanted.filter((d) => d !== -1));
    return P.reshape(
      t,
      wanted.map((d) => (d === -1 ? inferred(productOf(t.shape), known, t.shape, wanted) : d)),
    );
  },
  { static: ["newshape"] },
);
/** Sizes that may be given as tensors: one for all, or scalars. Those are unknown while shapes are inferred. */
function sizesOf(newshape: number | Tensor | readonly (number | null | Tensor)[]): number[] {
  if (typeof newshape === "number") return [newshape];
  if (!(newshape instanceof Tensor))
    return newshape.map((d) => (typeof d === "number" ? d : d === null ? -1 : sizeFrom(d)));
  const values = readNow(newshape, "reshape")?.numbers();
  return Array.from({ length: newshape.shape[0] ?? 1 }, (_, i) => Number(values?.[i] ?? NaN));
}
const sizeFrom = (dim: Tensor): number => Number(readNow(dim, "reshape")?.numbers()[0] ?? NaN);
function inferred(size: number, known: number, from: readonly number[], to: readonly number[]): number {
  const dim = size / known;
  if (!Number.isNaN(dim) && !Number.isInteger(dim))
    throw new RangeError(`reshape: [${from}] has ${size} elements, which do not divide into [${to}].`);
  return dim;
}
/** Permutes axes; reverses them when `axes` is null. */
export const transpose = defineOp(
  "numpy.Transpose",
  (x: TensorLike, { axes = null }: { axes?: readonly number[] | null | undefined } = {}): Tensor => {
    const t = toTensor(x);
    const permutation = axes === null ? t.shape.map((_, i) => t.ndim - 1 - i) : axes.map((a) => axisOf(a, t.ndim));
    if (permutation.length !== t.ndim || new Set(permutation).size !== t.ndim)
      throw new RangeError(`transpose: axes [${axes}] are no permutation of the ${t.ndim} axes of [${t.shape}].`);
    return P.transpose(t, permutation);
  },
);
/** Removes axes of size 1 (all of them when `axis` is null). */
export const squeeze = defineOp(
  "numpy.Squeeze",
  (x: TensorLike, { axis = null }: { axis?: number | readonly number[] | null | undefined } = {}): Tensor => {
    const t = toTensor(x);
    const gone = axis === null ? t.shape.flatMap((d, i) => (d === 1 ? [i] : [])) : axesOf(axis, t.ndim);
    for (const i of gone)
      if (t.shape[i] !== 1 && !Number.isNaN(t.shape[i]!))
        throw new RangeError(`squeeze: axis ${i} of [${t.shape}] has size ${t.shape[i]}, not 1.`);
    return P.reshape(
      t,
      t.shape.filter((_, i) => !gone.includes(i)),
    );
  },
);
/** Inserts axes of size 1 at the given positions of the result. */
export const expandDims = defineOp(
  "numpy.ExpandDims",
  (x: TensorLike, axis: number | readonly number[]): Tensor => {
    const t = toTensor(x);
    const count = typeof axis === "number" ? 1 : axis.length;
    const added = axesOf(axis, t.ndim + count);
    let next = 0;
    return P.reshape(
      t,
      Array.from({ length: t.ndim + count }, (_, i) => (added.includes(i) ? 1 : t.shape[next++]!)),
    );
  },
  { static: ["axis"] },
);
/** Joins tensors along an existing axis; flattened when it is null, which symbolic tensors cannot be. */
export const concatenate = defineOp(
  "numpy.Concatenate",
  (xs: readonly TensorLike[], { axis = 0 }: { axis?: number | null | undefined } = {}): Tensor => {
    if (axis === null && isSpecMode())
      throw new TypeError("concatenate: symbolic tensors need an axis. Flatten them and join along axis 0.");
    return joined(xs, axis);
  },
);
/** Joins tensors of one shape along a new axis. */
export const stack = defineOp(
  "numpy.Stack",
  (xs: readonly TensorLike[], { axis = 0 }: { axis?: number | undefined } = {}): Tensor => {
    const tensors = promoted(xs);
    const at = axisOf(axis, tensors[0]!.ndim + 1);
    return P.concatenate(
      tensors.map((t) => P.reshape(t, [...t.shape.slice(0, at), 1, ...t.shape.slice(at)])),
      at,
    );
  },
);
/** Repeats axes of size 1, and new leading axes, up to `shape`. */
export const broadcastTo = defineOp(
  "numpy.BroadcastTo",
  (x: TensorLike, shape: readonly number[]): Tensor => P.broadcastTo(toTensor(x), shape),
  { static: ["shape"] },
);
