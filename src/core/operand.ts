import type { DType } from "./dtype.js";
import type { NestedArray } from "./ndarray.js";
import type { Tensor, TensorLike } from "./tensor.js";

/** Python's slice: `start:stop:step`, with null where Python leaves a part out. */
export interface Slice {
  readonly start?: number | null;
  readonly stop?: number | null;
  readonly step?: number | null;
}
/** One entry of an index: a position, a slice, `null` for a new axis, "..." for all axes between, or an integer or boolean tensor. */
export type IndexEntry = number | Slice | null | "..." | TensorLike | NestedArray;

/** The arithmetic Python Keras overloads as operators; installed by `ops/operators.ts`. */
export interface Operand {
  add(y: TensorLike): Tensor;
  sub(y: TensorLike): Tensor;
  mul(y: TensorLike): Tensor;
  div(y: TensorLike): Tensor;
  floorDiv(y: TensorLike): Tensor;
  mod(y: TensorLike): Tensor;
  pow(y: TensorLike): Tensor;
  matmul(y: TensorLike): Tensor;
  neg(): Tensor;
  abs(): Tensor;
  round(): Tensor;
  equal(y: TensorLike): Tensor;
  notEqual(y: TensorLike): Tensor;
  less(y: TensorLike): Tensor;
  lessEqual(y: TensorLike): Tensor;
  greater(y: TensorLike): Tensor;
  greaterEqual(y: TensorLike): Tensor;
  and(y: TensorLike): Tensor;
  or(y: TensorLike): Tensor;
  xor(y: TensorLike): Tensor;
  not(): Tensor;
  /** Indexing as `x[...]` in Python: `x.slice(0, { start: 1, stop: -1, step: 2 }, "...", null)`. */
  slice(...index: readonly IndexEntry[]): Tensor;
  cast(dtype: DType): Tensor;
  reshape(shape: readonly number[]): Tensor;
}
/** What ops take part in arithmetic with: tensors, symbolic tensors and variables. `null` is an unknown dimension. */
export abstract class Operand {
  abstract get shape(): readonly (number | null)[];
  abstract get dtype(): DType;
  get ndim(): number {
    return this.shape.length;
  }
}
