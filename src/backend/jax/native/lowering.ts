import type { TensorSpec } from "../../../core/dtype.js";
import type { AttributesOf, PrimitiveName } from "../../../primitives/index.js";
import type { A } from "../ops.js";

/** How a primitive is written in ops of jax-js, and for which arguments it may be. */
export interface Lowering<Attributes extends object> {
  /** Whether jax-js gets these arguments right; absent where it always does. */
  readonly when?: (inputs: readonly TensorSpec[], attributes: Attributes, outputs: readonly TensorSpec[]) => boolean;
  readonly lower: (inputs: readonly A[], attributes: Attributes, outputs: readonly TensorSpec[]) => A[];
}
/** Lowerings of some primitives, by name. The others are left to the built-in engine. */
export type Lowerings = { readonly [P in PrimitiveName]?: Lowering<AttributesOf<P>> };

/** A lowering of arrays to one array. */
export const elementwise = <Attributes extends object>(
  lower: (...inputs: A[]) => A,
  when?: Lowering<Attributes>["when"],
): Lowering<Attributes> => ({ lower: (inputs) => [lower(...inputs)], ...(when && { when }) });

/** Whether the first input is of one of `dtypes`. */
export const of =
  (...dtypes: readonly string[]) =>
  (inputs: readonly TensorSpec[]): boolean =>
    dtypes.includes(inputs[0]!.dtype);
