import { rowMajorStrides, allocate, NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Shape, TensorSpec } from "../../../core/dtype.js";
import type { OutOfRange } from "../../../primitives/indexing.js";
import type { Kernels } from "../../backend.js";
import { fillBits } from "../fill-value.js";
import { indexValues } from "../index-values.js";
import { scatterSlices } from "../scatter.js";
import { type Bits, bitsOf, bitsPerElement } from "../strided.js";

const OUTSIDE = -1;

/** The index to read on an axis of size `dim`, or OUTSIDE. */
function resolve(index: number, dim: number, mode: OutOfRange): number {
  if (index >= 0 && index < dim) return index;
  if (mode !== "clip" || dim === 0) return OUTSIDE;
  return index < 0 ? 0 : dim - 1;
}

/** Copies slices of equal length between dense arrays, by bits; what lies outside is filled. */
class SliceCopier {
  readonly stored;
  private readonly from: Bits;
  private readonly to: Bits;
  private readonly length: number;
  private readonly fill: Bits;

  constructor(x: NDArray, spec: TensorSpec, length: number, mode: OutOfRange) {
    this.stored = allocate(spec.dtype, sizeOf(spec.shape));
    this.from = bitsOf(x.contiguous().data);
    this.to = bitsOf(this.stored);
    this.length = length * bitsPerElement(x);
    this.fill = fillBits(x.dtype, mode);
  }

  /** In each of `rows` rows of `dim` slices, those at `places`, one after another. */
  copyRows(rows: number, dim: number, places: Int32Array): void {
    const { from, to, fill, length } = this;
    const count = places.length;
    let target = 0;
    for (let row = 0; row < rows; row++) {
      if (length === 1) {
        for (let j = 0; j < count; j++) {
          const place = places[j]!;
          to[target + j] = place === OUTSIDE ? fill[0]! : from[row * dim + place]!;
        }
      } else {
        for (let j = 0; j < count; j++) {
          this.copy(places[j] === OUTSIDE ? OUTSIDE : row * dim + places[j]!, target + j);
        }
      }
      target += count;
    }
  }

  /** Slice number `source` (OUTSIDE: the fill value) to the place of slice number `target`. */
  copy(source: number, target: number): void {
    const { from, to, length, fill } = this;
    let q = target * length;
    if (source === OUTSIDE) {
      for (let i = 0; i < length; i++) to[q + i] = fill[i % fill.length]!;
    } else if (length >= 64) to.set(from.subarray(source * length, (source + 1) * length), q);
    else for (let p = source * length, end = p + length; p < end; p++, q++) to[q] = from[p]!;
  }
}

/** For each vector in the rows of `indices`, the number of the slice it names among the leading axes; OUTSIDE if none. */
function positions(indices: NDArray, dims: Shape, mode: OutOfRange): Int32Array {
  const depth = dims.length;
  const values = indexValues(indices);
  const steps = rowMajorStrides(dims);
  const out = new Int32Array(sizeOf(indices.shape.slice(0, -1)));
  for (let row = 0; row < out.length; row++) {
    let at = 0;
    for (let axis = 0; axis < depth; axis++) {
      const index = resolve(values[row * depth + axis]!, dims[axis]!, mode);
      if (index === OUTSIDE) {
        at = OUTSIDE;
        break;
      }
      at += index * steps[axis]!;
    }
    out[row] = at;
  }
  return out;
}

/** Calls `visit` with the number, in the array indexed along an axis, that each element of `indices` stands for. */
function alongAxis(
  indices: NDArray,
  dim: number,
  axis: number,
  mode: OutOfRange,
  visit: (source: number, place: number) => void,
): void {
  const values = indexValues(indices);
  const inner = sizeOf(indices.shape.slice(axis + 1));
  const count = indices.shape[axis]!;
  const outer = sizeOf(indices.shape.slice(0, axis));
  let place = 0;
  for (let o = 0; o < outer; o++) {
    for (let j = 0; j < count; j++) {
      for (let i = 0; i < inner; i++, place++) {
        const index = resolve(values[place]!, dim, mode);
        visit(index === OUTSIDE ? OUTSIDE : (o * dim + index) * inner + i, place);
      }
    }
  }
}

export const indexingKernels = {
  take: ([x, indices], { axis, mode }, [spec]) => {
    const dim = x!.shape[axis]!;
    const places = indexValues(indices!).map((index) => resolve(index, dim, mode));
    const copier = new SliceCopier(x!, spec!, sizeOf(x!.shape.slice(axis + 1)), mode);
    copier.copyRows(sizeOf(x!.shape.slice(0, axis)), dim, places);
    return [new NDArray(copier.stored, spec!.shape, x!.dtype)];
  },
  takeAlongAxis: ([x, indices], { axis, mode }, [spec]) => {
    const copier = new SliceCopier(x!, spec!, 1, mode);
    alongAxis(indices!, x!.shape[axis]!, axis, mode, (source, place) => copier.copy(source, place));
    return [new NDArray(copier.stored, spec!.shape, x!.dtype)];
  },
  gather: ([x, indices], { mode }, [spec]) => {
    const depth = indices!.shape.at(-1)!;
    const copier = new SliceCopier(x!, spec!, sizeOf(x!.shape.slice(depth)), mode);
    positions(indices!, x!.shape.slice(0, depth), mode).forEach((source, place) => copier.copy(source, place));
    return [new NDArray(copier.stored, spec!.shape, x!.dtype)];
  },
  scatter: ([x, indices, updates], { mode }) => {
    const depth = indices!.shape.at(-1)!;
    const length = sizeOf(x!.shape.slice(depth));
    const places = positions(indices!, x!.shape.slice(0, depth), "zero");
    const out = scatterSlices(x!, updates!, length, mode, (put) => {
      for (let i = 0; i < places.length; i++) if (places[i] !== OUTSIDE) put(places[i]! * length, i * length);
    });
    return [out];
  },
  scatterAlongAxis: ([x, indices, updates], { axis, mode }) => {
    const dim = x!.shape[axis]!;
    const out = scatterSlices(x!, updates!, 1, mode, (put) =>
      alongAxis(indices!, dim, axis, "zero", (to, from) => {
        if (to !== OUTSIDE) put(to, from);
      }),
    );
    return [out];
  },
} satisfies Partial<Kernels<NDArray>>;
