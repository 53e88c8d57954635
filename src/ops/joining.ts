import { promoted, toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import { readNow } from "../core/host.js";
import { NDArray } from "../core/ndarray.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { joined } from "./joined.js";
import { axisOf, productOf } from "./support.js";

/** `x2` behind `x1`; both flattened when `axis` is null. */
export const append = defineOp(
  "numpy.Append",
  (x1: TensorLike, x2: TensorLike, { axis = null }: { axis?: number | null | undefined } = {}): Tensor =>
    joined([x1, x2], axis),
);

const raised = (x: TensorLike, rank: number): Tensor => {
  const t = toTensor(x);
  if (t.ndim >= rank) return t;
  if (rank === 3) return P.reshape(t, t.ndim === 0 ? [1, 1, 1] : t.ndim === 1 ? [1, t.shape[0]!, 1] : [...t.shape, 1]);
  return P.reshape(t, [...Array.from({ length: rank - t.ndim }, () => 1), ...t.shape]);
};
/** Joins vectors end to end, others along axis 1. */
export const hstack = defineOp("numpy.Hstack", (xs: readonly TensorLike[]): Tensor => {
  const tensors = promoted(xs.map((x) => raised(x, 1)));
  return P.concatenate(tensors, tensors[0]!.ndim === 1 ? 0 : 1);
});
/** Joins along axis 0; vectors count as rows. */
export const vstack = defineOp("numpy.Vstack", (xs: readonly TensorLike[]): Tensor =>
  P.concatenate(promoted(xs.map((x) => raised(x, 2))), 0),
);
/** Joins along axis 2, which vectors and matrices gain. */
export const dstack = defineOp("numpy.Dstack", (xs: readonly TensorLike[]): Tensor =>
  P.concatenate(promoted(xs.map((x) => raised(x, 3))), 2),
);
/** Joins along axis 1; vectors count as columns. */
export const columnStack = defineOp("numpy.ColumnStack", (xs: readonly TensorLike[]): Tensor => {
  const columns = xs.map((x) => {
    const t = toTensor(x);
    return t.ndim < 2 ? P.reshape(t, [t.size, 1]) : t;
  });
  return P.concatenate(promoted(columns), 1);
});

/** The slice of an axis. */
export const between = (x: Tensor, axis: number, from: number, to: number): Tensor =>
  P.slice(
    x,
    x.shape.map((_, i) => (i === axis ? from : 0)),
    x.shape.map((d, i) => (i === axis ? to : d)),
  );

type Sections = number | readonly number[];
function parts(x: TensorLike, sections: Sections, axis: number, even: boolean): Tensor[] {
  const t = toTensor(x);
  const at = axisOf(axis, t.ndim);
  const size = t.shape[at]!;
  if (typeof sections !== "number") {
    if (!Array.isArray(sections)) return parts(t, countsOf(sections as unknown as TensorLike), axis, even);
    const clamp = (i: number): number =>
      Number.isNaN(size) && i >= 0 ? i : Math.min(size, Math.max(0, i < 0 ? i + size : i));
    const bounds = [0, ...sections.map(clamp), size];
    return bounds.slice(1).map((end, i) => between(t, at, bounds[i]!, Math.max(bounds[i]!, end)));
  }
  if (!Number.isInteger(sections) || sections < 1)
    throw new TypeError(`split: the number of parts must be a positive integer. Received: ${String(sections)}.`);
  if (Number.isNaN(size)) return Array.from({ length: sections }, () => between(t, at, 0, NaN));
  if (even && size % sections !== 0)
    throw new RangeError(`split: axis ${at} of [${t.shape}] does not divide into ${sections} equal parts.`);
  const [base, extra] = [Math.floor(size / sections), size % sections];
  let start = 0;
  return Array.from({ length: sections }, (_, i) => {
    const from = start;
    start += base + (i < extra ? 1 : 0);
    return between(t, at, from, start);
  });
}
interface AxisOptions {
  axis?: number | undefined;
}
/** Equal parts along an axis, or parts between the given positions. */
export const split = defineOp(
  "numpy.Split",
  (x: TensorLike, indicesOrSections: Sections, { axis = 0 }: AxisOptions = {}): Tensor[] =>
    parts(x, indicesOrSections, axis, true),
  { static: ["indices_or_sections"] },
);
/** Parts along an axis, of nearly equal size. */
export const arraySplit = defineOp(
  "numpy.ArraySplit",
  (x: TensorLike, sections: number, { axis = 0 }: AxisOptions = {}): Tensor[] => {
    if (typeof sections !== "number")
      throw new TypeError(
        `arraySplit: the number of parts must be an integer. Use ops.split for positions. Received: [${String(sections)}].`,
      );
    return parts(x, sections, axis, false);
  },
  { static: ["indices_or_sections"] },
);
const splitAt =
  (axis: (t: Tensor) => number) =>
  (x: TensorLike, indicesOrSections: Sections): Tensor[] => {
    const t = toTensor(x);
    return parts(t, indicesOrSections, axis(t), true);
  };
/** Parts along axis 1, or of a vector. */
export const hsplit = defineOp(
  "numpy.Hsplit",
  splitAt((t) => (t.ndim === 1 ? 0 : 1)),
  { static: ["indices_or_sections"] },
);
/** Parts along axis 0. */
export const vsplit = defineOp(
  "numpy.Vsplit",
  splitAt(() => 0),
  { static: ["indices_or_sections"] },
);
/** Parts along axis 2. */
export const dsplit = defineOp(
  "numpy.Dsplit",
  splitAt(() => 2),
  { static: ["indices_or_sections"] },
);

/** `x` repeated as often along each axis. */
export const tile = defineOp(
  "numpy.Tile",
  (x: TensorLike, repeats: number | readonly number[]): Tensor => {
    const t = toTensor(x);
    const given = typeof repeats === "number" ? [repeats] : [...repeats];
    const rank = Math.max(t.ndim, given.length);
    const times = [...Array.from({ length: rank - given.length }, () => 1), ...given];
    const shape = [...Array.from({ length: rank - t.ndim }, () => 1), ...t.shape];
    const spread = P.broadcastTo(
      P.reshape(
        t,
        shape.flatMap((d) => [1, d]),
      ),
      shape.flatMap((d, i) => [times[i]!, d]),
    );
    return P.reshape(
      spread,
      shape.map((d, i) => d * times[i]!),
    );
  },
  { static: ["repeats"] },
);
/** Each element repeated: all alike, or each slice of `axis` as often as `repeats` says. */
export const repeat = defineOp(
  "numpy.Repeat",
  (
    x: TensorLike,
    repeats: number | readonly number[] | TensorLike,
    { axis = null }: { axis?: number | null | undefined } = {},
  ): Tensor => {
    const given = toTensor(x);
    const t = axis === null || given.ndim === 0 ? P.reshape(given, [productOf(given.shape)]) : given;
    const at = axis === null ? 0 : axisOf(axis, t.ndim);
    const counts =
      typeof repeats === "number"
        ? [repeats]
        : Array.isArray(repeats)
          ? (repeats as number[])
          : countsOf(repeats as TensorLike);
    if (counts.length === 1) {
      const n = counts[0]!;
      const opened = P.reshape(t, [...t.shape.slice(0, at + 1), 1, ...t.shape.slice(at + 1)]);
      const spread = P.broadcastTo(opened, [...t.shape.slice(0, at + 1), n, ...t.shape.slice(at + 1)]);
      return P.reshape(
        spread,
        t.shape.map((d, i) => (i === at ? d * n : d)),
      );
    }
    if (counts.length !== t.shape[at] && !Number.isNaN(t.shape[at]!))
      throw new RangeError(`repeat: axis ${at} has ${t.shape[at]} slices, but ${counts.length} counts are given.`);
    // As Keras has it: what comes of an unknown size is unknown.
    if (Number.isNaN(t.shape[at]!))
      return P.full(
        t.shape.map((d) => d),
        0,
        t.dtype,
      );
    const positions = Int32Array.from(counts.flatMap((n, i) => Array.from({ length: n }, () => i)));
    return P.take(t, fromHost(new NDArray(positions, [positions.length], "int32")), at, "clip");
  },
  { static: ["repeats"] },
);
const countsOf = (x: TensorLike): number[] => [...(readNow(toTensor(x, "int32"), "repeat")?.numbers() ?? [NaN])];
/** A tensor's slices along an axis, without it. */
export const unstackAlong = (t: Tensor, axis: number): Tensor[] =>
  Array.from({ length: t.shape[axis]! }, (_, i) =>
    P.reshape(
      between(t, axis, i, i + 1),
      t.shape.filter((_, k) => k !== axis),
    ),
  );
