import { toTensor } from "../core/convert.js";
import { readNow } from "../core/host.js";
import { NDArray } from "../core/ndarray.js";
import { defineOp } from "../core/op.js";
import { fromHost, type Tensor, type TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { axisOf, productOf } from "./support.js";

export interface UniqueOptions {
  /** Accepted for Keras's sake: results are always sorted. */
  sorted?: boolean | undefined;
  /** Whether to return where each unique element first occurs. */
  returnIndex?: boolean | undefined;
  /** Whether to return which unique element each element is. */
  returnInverse?: boolean | undefined;
  returnCounts?: boolean | undefined;
  /** Compares slices along this axis; elements of the flattened tensor when null. */
  axis?: number | null | undefined;
  /** Cuts or fills the result to this many elements. */
  size?: number | null | undefined;
  /** What missing elements are filled with; the smallest one when null. */
  fillValue?: number | null | undefined;
}
/** Distinct elements (or slices) in ascending order, with what the options ask for. Their number depends on the values unless `size` is given. */
export const unique = defineOp("numpy.Unique", (x: TensorLike, options: UniqueOptions = {}): Tensor | Tensor[] => {
  const {
    axis = null,
    size = null,
    fillValue = null,
    returnIndex = false,
    returnInverse = false,
    returnCounts = false,
  } = options;
  const given = toTensor(x);
  const t = axis === null ? P.reshape(given, [productOf(given.shape)]) : given;
  const at = axis === null ? 0 : axisOf(axis, t.ndim);
  const order = [at, ...t.shape.map((_, i) => i).filter((i) => i !== at)];
  const rows = P.transpose(t, order);
  const n = rows.shape[0]!;
  const width = productOf(rows.shape.slice(1));
  const host = readNow(rows, "unique");
  const flat = host?.numbers() ?? new Float64Array(0);
  const compare = (a: number, b: number): number => {
    for (let k = 0; k < width; k++) {
      const [p, q] = [flat[a * width + k]!, flat[b * width + k]!];
      if (p < q || (!Number.isNaN(p) && Number.isNaN(q))) return -1;
      if (p > q || (Number.isNaN(p) && !Number.isNaN(q))) return 1;
    }
    return 0;
  };
  const sorted = host ? Array.from({ length: n }, (_, i) => i).sort((a, b) => compare(a, b) || a - b) : [];
  const first: number[] = [];
  const counts: number[] = [];
  const inverse = new Int32Array(host ? n : 0);
  sorted.forEach((row, i) => {
    if (i === 0 || compare(sorted[i - 1]!, row) !== 0) {
      first.push(row);
      counts.push(0);
    }
    counts[counts.length - 1]!++;
    inverse[row] = first.length - 1;
  });
  const count = size ?? (host ? first.length : NaN);
  const vector = (values: readonly number[], fill: number): Tensor =>
    host
      ? fromHost(
          new NDArray(
            Int32Array.from({ length: count }, (_, i) => values[i] ?? fill),
            [count],
            "int32",
          ),
        )
      : P.full([count], 0, "int32");
  const picked = P.take(rows, vector(first, first[0] ?? 0), 0, "clip");
  const filled =
    fillValue === null || !host || count <= first.length
      ? picked
      : P.select(rowMask(first.length, picked), picked, P.full([], fillValue, picked.dtype));
  const values = P.transpose(
    filled,
    order.map((_, i) => order.indexOf(i)),
  );
  const results = [values];
  if (returnIndex) results.push(vector(first, first[0] ?? 0));
  if (returnInverse) {
    const places = host ? fromHost(new NDArray(inverse, [n], "int32")) : P.full([n], 0, "int32");
    results.push(axis === null ? P.reshape(places, given.shape) : places);
  }
  if (returnCounts) results.push(vector(counts, 0));
  return results.length === 1 ? values : results;
});
/** True for the first rows. */
const rowMask = (rows: number, like: Tensor): Tensor =>
  P.less(
    P.iota(
      like.shape.map((d, i) => (i === 0 ? d : 1)),
      0,
      "int32",
    ),
    P.full([], rows, "int32"),
  );
