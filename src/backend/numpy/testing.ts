import type { DType, Shape } from "../../core/dtype.js";
import { allocate, NDArray, sizeOf } from "../../core/ndarray.js";

/** Whole numbers from a small generator, the same in every run. */
export class Dice {
  constructor(private state = 1) {}
  /** 0 to n - 1. */
  below(n: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) | 0;
    return ((this.state >>> 8) & 0xffffff) % n;
  }
  shape(rank: number, most = 5): number[] {
    return Array.from({ length: rank }, () => 1 + this.below(most));
  }
}

/** An array of small whole numbers with any layout: permuted axes, gaps, repeats (stride 0), backwards axes, an offset. */
export function anyLayout(dice: Dice, shape: Shape, dtype: DType): NDArray {
  const order = shape.map((_, axis) => axis).sort(() => dice.below(3) - 1);
  const strides = new Array<number>(shape.length).fill(0);
  let extent = 1 + dice.below(2);
  let offset = dice.below(3);
  for (const axis of order) {
    const kind = dice.below(5);
    if (kind === 0) continue;
    strides[axis] = extent;
    extent *= shape[axis]! + dice.below(2);
    if (kind === 1 && shape[axis]! > 0) {
      offset += (shape[axis]! - 1) * strides[axis]!;
      strides[axis] = -strides[axis]!;
    }
  }
  const last = shape.reduce((at, d, axis) => at + Math.max(0, (d - 1) * strides[axis]!), offset);
  const data = allocate(dtype, Math.max(last + 1, extent + offset));
  for (let i = 0; i < data.length; i++) data[i] = dtype === "bool" ? dice.below(2) : dice.below(100);
  return new NDArray(data, shape, dtype, strides, offset);
}

/** Every index of a shape, in row-major order. */
export function* indices(shape: Shape): Generator<number[]> {
  const n = sizeOf(shape);
  for (let i = 0; i < n; i++) {
    const index = new Array<number>(shape.length);
    for (let axis = shape.length - 1, rest = i; axis >= 0; axis--) {
      index[axis] = rest % shape[axis]!;
      rest = Math.floor(rest / shape[axis]!);
    }
    yield index;
  }
}

/** The element at `index` of a larger shape that `x` broadcasts to. */
export const broadcastAt = (x: NDArray, index: readonly number[]): number =>
  Number(x.at(...x.shape.map((d, axis) => (d === 1 ? 0 : index[index.length - x.ndim + axis]!))));
