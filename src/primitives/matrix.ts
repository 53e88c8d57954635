import type { DType } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { add, multiply } from "./binary.js";
import { equal, greaterEqual, select } from "./compare.js";
import { cast, full, iota } from "./create.js";
import { dot } from "./dot.js";
import { reshape, transpose } from "./movement.js";

/** Helpers on stacks of matrices [..., m, n], for gradients of linear algebra. */

const lead = (x: Tensor): number[] => Array.from({ length: x.shape.length - 2 }, (_, i) => i);

/** Product of two stacks with equal leading axes. */
export function matmul(x: Tensor, y: Tensor): Tensor {
  const rank = x.shape.length;
  return dot(x, y, { contract: [[rank - 1], [rank - 2]], batch: [lead(x), lead(y)] });
}
/** Swaps the last two axes. */
export function transposed(x: Tensor): Tensor {
  const rank = x.shape.length;
  return transpose(x, [...lead(x), rank - 1, rank - 2]);
}
/** Bool [m, n]: row index - column index >= `offset`. */
function lowerMask(m: number, n: number, offset: number): Tensor {
  return greaterEqual(iota([m, n], 0, "int32"), addOffset(iota([m, n], 1, "int32"), offset));
}
const addOffset = (x: Tensor, offset: number): Tensor => (offset === 0 ? x : add(x, full([], offset, "int32")));

/** Keeps the lower triangle (row - column >= offset), zero elsewhere. */
export function lower(x: Tensor, offset = 0): Tensor {
  const [m, n] = x.shape.slice(-2) as [number, number];
  return select(lowerMask(m, n, offset), x, full([], 0, x.dtype));
}
/** Keeps the upper triangle (column - row >= offset), zero elsewhere. */
export function upper(x: Tensor, offset = 0): Tensor {
  const [m, n] = x.shape.slice(-2) as [number, number];
  return select(lowerMask(m, n, 1 - offset), full([], 0, x.dtype), x);
}
export function identity(n: number, dtype: DType): Tensor {
  return cast(equal(iota([n, n], 0, "int32"), iota([n, n], 1, "int32")), dtype);
}
/** The diagonal of each matrix as a matrix; zero elsewhere. */
export function diagonalPart(x: Tensor): Tensor {
  const [m, n] = x.shape.slice(-2) as [number, number];
  return select(equal(iota([m, n], 0, "int32"), iota([m, n], 1, "int32")), x, full([], 0, x.dtype));
}
/** Multiplies column j of each matrix by v[..., j]. */
export const scaleColumns = (x: Tensor, v: Tensor): Tensor =>
  multiply(x, reshape(v, [...v.shape.slice(0, -1), 1, v.shape.at(-1)!]));
/** Multiplies row i of each matrix by v[..., i]. */
export const scaleRows = (x: Tensor, v: Tensor): Tensor => multiply(x, reshape(v, [...v.shape, 1]));
export const half = (x: Tensor): Tensor => multiply(x, full([], 0.5, x.dtype));
