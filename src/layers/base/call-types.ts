import type { KerasTensor } from "../../core/keras-tensor.js";
import type { ArrayLikeData, NDArray } from "../../core/ndarray.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";

/** A value, or arrays and plain objects of such. */
type Structure<T> = T | readonly Structure<T>[] | { readonly [key: string]: Structure<T> };
/** Values to compute on. */
export type EagerInput = Structure<Tensor | Variable | NDArray | ArrayLikeData | null>;
/** Symbolic tensors, to build a graph with. */
export type SymbolicInput = Structure<KerasTensor | Tensor | null>;

/** The options all calls have. */
export interface CallOptions {
  /** Whether the call is part of training; holds for the layers inside as well. */
  readonly training?: boolean | null | undefined;
  /** Which steps count. */
  readonly mask?: EagerInput | SymbolicInput | undefined;
}

/**
 * How layers are called: further tensors in order, then one options object. Layers with several outputs say so by a type argument:
 * `layer<[Tensor, Tensor]>(x)`.
 */
export interface LayerCall {
  (inputs: EagerInput, ...rest: readonly unknown[]): Tensor;
  (inputs: SymbolicInput, ...rest: readonly unknown[]): KerasTensor;
  <Outputs>(inputs: EagerInput | SymbolicInput, ...rest: readonly unknown[]): Outputs;
}
