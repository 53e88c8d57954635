import { allocate, NDArray } from "../../core/ndarray.js";
import type { Shape } from "../../core/dtype.js";
import { type Bits, coalesce, rawView } from "./strided.js";

/** Side of the square blocks in which two-dimensional transposes go, so that both sides stay in the nearest cache. */
const TILE = 32;
/** Rows from this length on are copied by the engine's own bulk copy. */
const BULK = 48;

/** Copies the elements of one strided array to another of the same shape and width. The two may not overlap. */
export function copyStrided(
  shape: Shape,
  from: Bits,
  fromOffset: number,
  fromStrides: readonly number[],
  to: Bits,
  toOffset: number,
  toStrides: readonly number[],
): void {
  for (const dim of shape) if (dim === 0) return;
  const nest = coalesce(shape, [fromStrides, toStrides]);
  const [source, target] = nest.strides as [number[], number[]];
  const dims = nest.shape;
  const rank = dims.length;
  if (rank === 0) {
    to[toOffset] = from[fromOffset]!;
    return;
  }
  const last = rank - 1;
  // An axis along which the source is dense while the last axis is dense in the target: a transpose.
  const across = source[last] === 1 || target[last] !== 1 ? -1 : source.indexOf(1);
  const visit = (axis: number, p: number, q: number): void => {
    if (axis === across) axis++;
    if (axis >= last) {
      if (across >= 0) {
        transposeTiles(dims[across]!, dims[last]!, from, p, source[last]!, to, q, target[across]!);
      } else copyRow(dims[last]!, from, p, source[last]!, to, q, target[last]!);
      return;
    }
    const [size, ps, qs] = [dims[axis]!, source[axis]!, target[axis]!];
    for (let i = 0; i < size; i++) visit(axis + 1, p + i * ps, q + i * qs);
  };
  if (across < 0 && rank === 2) {
    copyRows(dims[0]!, dims[1]!, from, fromOffset, source[0]!, source[1]!, to, toOffset, target[0]!, target[1]!);
  } else visit(0, fromOffset, toOffset);
}

function copyRow(n: number, from: Bits, p: number, ps: number, to: Bits, q: number, qs: number): void {
  if (qs === 1 && ps === 1 && n >= BULK) to.set(from.subarray(p, p + n), q);
  else if (qs === 1 && ps === 0 && n >= BULK) to.fill(from[p]!, q, q + n);
  else for (let i = 0; i < n; i++, p += ps, q += qs) to[q] = from[p]!;
}

function copyRows(
  m: number,
  n: number,
  from: Bits,
  p: number,
  pRow: number,
  ps: number,
  to: Bits,
  q: number,
  qRow: number,
  qs: number,
): void {
  if (qs === 1 && n >= BULK && (ps === 0 || ps === 1)) {
    for (let i = 0; i < m; i++) copyRow(n, from, p + i * pRow, ps, to, q + i * qRow, qs);
    return;
  }
  for (let i = 0; i < m; i++) {
    let a = p + i * pRow;
    let b = q + i * qRow;
    for (let j = 0; j < n; j++, a += ps, b += qs) to[b] = from[a]!;
  }
}

/** `to[i, j] = from[j, i]` for i < m, j < n, where `from` is dense along i and `to` along j. */
function transposeTiles(
  m: number,
  n: number,
  from: Bits,
  p: number,
  pStep: number,
  to: Bits,
  q: number,
  qStep: number,
): void {
  for (let i0 = 0; i0 < m; i0 += TILE) {
    const i1 = Math.min(m, i0 + TILE);
    for (let j0 = 0; j0 < n; j0 += TILE) {
      const j1 = Math.min(n, j0 + TILE);
      for (let i = i0; i < i1; i++) {
        let a = p + i + j0 * pStep;
        let b = q + i * qStep + j0;
        for (let j = j0; j < j1; j++, a += pStep, b++) to[b] = from[a]!;
      }
    }
  }
}

/** A fresh dense copy in row-major order. */
export function materialize(x: NDArray): NDArray {
  const out = new NDArray(allocate(x.dtype, x.size), x.shape, x.dtype);
  copyInto(x, out);
  return out;
}

/** `x` itself when its elements lie in row-major order without gaps (at any offset), else a dense copy. */
export const dense = (x: NDArray): NDArray => (x.isContiguous ? x : materialize(x));

/** Writes the elements of `x` over those of the equally shaped, freshly made `out`. */
export function copyInto(x: NDArray, out: NDArray): void {
  const from = rawView(x);
  const to = rawView(out);
  copyStrided(from.shape, from.data, from.offset, from.strides, to.data, to.offset, to.strides);
}

/** Bits of the elements `start` to `start + count` in row-major order of a strided nest, written to the front of `to`. */
export function loadRange(
  shape: readonly number[],
  strides: readonly number[],
  from: Bits,
  offset: number,
  start: number,
  count: number,
  to: Bits,
): void {
  const last = shape.length - 1;
  const row = shape[last]!;
  const step = strides[last]!;
  let inner = start % row;
  let outer = (start - inner) / row;
  for (let done = 0; done < count; outer++) {
    let at = offset + inner * step;
    for (let axis = last - 1, rest = outer; axis >= 0; axis--) {
      const dim = shape[axis]!;
      const i = rest % dim;
      rest = (rest - i) / dim;
      at += i * strides[axis]!;
    }
    const n = Math.min(row - inner, count - done);
    copyRow(n, from, at, step, to, done, 1);
    done += n;
    inner = 0;
  }
}
