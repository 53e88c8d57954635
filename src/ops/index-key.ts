import { resultType, toTensor } from "../core/convert.js";
import { isInteger } from "../core/dtype.js";
import { readNow } from "../core/host.js";
import { NDArray } from "../core/ndarray.js";
import { type IndexEntry, Operand, type Slice } from "../core/operand.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";

/** What one entry of an index does to the next axis (or axes) of a tensor. */
export type AxisIndex =
  | { readonly kind: "new" }
  /** "..." where there are no axes between: it still parts what is around it. */
  | { readonly kind: "gap" }
  | { readonly kind: "position"; readonly at: number }
  | { readonly kind: "slice"; readonly start: number; readonly count: number; readonly step: number }
  | { readonly kind: "array"; readonly indices: Tensor };

const isSlice = (entry: IndexEntry): entry is Slice =>
  typeof entry === "object" &&
  entry !== null &&
  Object.getPrototypeOf(entry) === Object.prototype &&
  Object.keys(entry).every((key) => key === "start" || key === "stop" || key === "step");
const isArray = (entry: IndexEntry): entry is TensorLike =>
  typeof entry === "object" && entry !== null && !isSlice(entry);

/** An integer or boolean array among the entries, as a tensor. */
function arrayOf(entry: TensorLike): Tensor {
  const t = Array.isArray(entry) && entry.length === 0 ? P.full([0], 0, "int32") : toTensor(entry);
  if (t.dtype !== "bool" && !isInteger(t.dtype))
    throw new TypeError(`An array that indexes must hold integers or booleans. Received: ${resultType(entry)}.`);
  return t;
}

/** The positions of the true elements of a mask, one vector for each of its axes. Their number has to be read. */
function positionsOf(mask: Tensor): Tensor[] {
  if (mask.ndim === 0) throw new TypeError("A scalar boolean cannot index. Use ops.where, or a mask with axes.");
  const values = readNow(mask, "getItem with a boolean mask");
  if (!values) return mask.shape.map(() => P.full([NaN], 0, "int32"));
  const found: number[] = [];
  values.numbers().forEach((v, i) => v !== 0 && found.push(i));
  return mask.shape.map((dim, axis) => {
    const inner = mask.shape.slice(axis + 1).reduce((n, d) => n * d, 1);
    const positions = Int32Array.from(found, (i) => Math.floor(i / inner) % dim);
    return fromHost(new NDArray(positions, [found.length], "int32"));
  });
}

/** Python's `range(*slice.indices(dim))` as a start and a count; NaN where the size of the axis is unknown and matters. */
function resolveSlice({ start = null, stop = null, step = null }: Slice, dim: number): AxisIndex {
  const by = step ?? 1;
  for (const part of [start, stop, step])
    if (part !== null && !Number.isInteger(part))
      throw new TypeError(`The parts of a slice must be integers. Received: ${String(part)}.`);
  if (by === 0) throw new RangeError("The step of a slice must not be 0.");
  if (Number.isNaN(dim)) return { kind: "slice", start: start !== null && start > 0 ? start : 0, count: NaN, step: by };
  const [low, high] = by > 0 ? [0, dim] : [-1, dim - 1];
  const clamped = (part: number | null, otherwise: number): number =>
    part === null ? otherwise : Math.min(high, Math.max(low, part < 0 ? part + dim : part));
  const from = clamped(start, by > 0 ? low : high);
  const to = clamped(stop, by > 0 ? high : low);
  return { kind: "slice", start: from, count: Math.max(0, Math.ceil((to - from) / by)), step: by };
}

function resolvePosition(at: number, dim: number, axis: number): AxisIndex {
  if (!Number.isInteger(at)) throw new TypeError(`An index must be an integer. Received: ${at}.`);
  const position = at < 0 && !Number.isNaN(dim) ? at + dim : at;
  if (position < 0 || position >= dim)
    throw new RangeError(`Index ${at} is out of bounds for axis ${axis} of size ${Number.isNaN(dim) ? "null" : dim}.`);
  return { kind: "position", at: position };
}

/** How many axes an entry takes. */
const width = (entry: IndexEntry | Tensor): number => {
  if (entry === null || entry === "...") return 0;
  return entry instanceof Operand && entry.dtype === "bool" ? entry.ndim : 1;
};

/** Checks an index against a shape, and says for each of its entries in turn what it does; axes it does not mention are whole. */
export function resolveKey(key: IndexEntry | readonly IndexEntry[], shape: readonly number[]): AxisIndex[] {
  const given = Array.isArray(key) ? (key as readonly IndexEntry[]) : [key as IndexEntry];
  const entries = given.map((entry) => (isArray(entry) ? arrayOf(entry) : entry));
  const ellipses = entries.filter((entry) => entry === "...").length;
  if (ellipses > 1) throw new RangeError('An index can hold "..." only once.');
  const taken = entries.reduce<number>((sum, entry) => sum + width(entry as IndexEntry), 0);
  if (taken > shape.length)
    throw new RangeError(`An index of ${taken} entries is too long for a tensor of shape [${shape}].`);
  if (ellipses === 0) entries.push("...");
  let axis = 0;
  const next = (): number => shape[axis++]!;
  const whole = (): AxisIndex => ({ kind: "slice", start: 0, count: next(), step: 1 });
  return entries.flatMap((entry): AxisIndex[] => {
    if (entry === null) return [{ kind: "new" }];
    if (entry === "...") {
      const between = shape.length - taken;
      return between === 0 ? [{ kind: "gap" }] : Array.from({ length: between }, whole);
    }
    if (typeof entry === "number") return [resolvePosition(entry, next(), axis - 1)];
    if (entry instanceof Operand) {
      const t = entry as Tensor;
      if (t.dtype !== "bool") {
        next();
        return [{ kind: "array", indices: P.cast(t, "int32") }];
      }
      t.shape.forEach((dim) => {
        const size = next();
        if (dim !== size && !Number.isNaN(dim + size))
          throw new RangeError(`A mask of shape [${t.shape}] does not fit shape [${shape}] at axis ${axis - 1}.`);
      });
      return positionsOf(t).map((indices) => ({ kind: "array", indices }));
    }
    if (isSlice(entry as IndexEntry)) return [resolveSlice(entry as Slice, next())];
    throw new TypeError(
      `An index is made of integers, slices { start, stop, step }, null, "..." and arrays. Received: ${JSON.stringify(entry)}.`,
    );
  });
}
