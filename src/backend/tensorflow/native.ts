import type { TensorSpec } from "../../core/dtype.js";
import { sizeOf } from "../../core/ndarray.js";
import type { AttributesOf, PrimitiveName } from "../../primitives/index.js";
import type { Value } from "./value.js";

/** A kernel of TensorFlow.js for some arguments; null leaves them to the built-in engine. */
export type NativeKernel<A extends object> = (
  inputs: readonly Value[],
  attributes: A,
  outputs: readonly TensorSpec[],
) => Value[] | null;
/** The primitives that TensorFlow.js runs itself, where it does so rightly and fast. */
export type NativeKernels = { readonly [P in PrimitiveName]?: NativeKernel<AttributesOf<P>> };

/** Whether all values are float32 and neither they nor the result are empty: what the kernels here can be trusted with. */
export const areFloats = (inputs: readonly Value[], { shape, dtype }: TensorSpec): boolean =>
  dtype === "float32" && inputs.every((x) => x.dtype === "float32" && x.size > 0) && sizeOf(shape) > 0;

/**
 * Whether TensorFlow.js has one of the operands. Work that is no more than a pass over memory is done where its operands are: moving
 * all of them would cost as much again.
 */
export const liesHere = (inputs: readonly Value[]): boolean => inputs.some((x) => x.isTensor);
