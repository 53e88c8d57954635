import type { DType, TensorSpec } from "../../core/dtype.js";
import type { AttributesOf, PrimitiveName } from "../../primitives/index.js";

/** A tensor to kernels: a slot while they run at once, a register while they are written down. */
export type Ref = number & { readonly isTensor: true };
/** What kernels pass to ATen ops; the op's schema decides what it becomes. */
export type Argument = Ref | number | boolean | string | null | undefined | readonly (number | boolean | null)[];

/**
 * What kernels are written in: ATen ops by name and overload, as in "add.Tensor" ("keras::" in front names this package's own).
 * One implementation runs them, another writes them down. Neither gives shapes or values, so kernels go by specs alone.
 */
export interface Torch {
  /** Runs an op that has one tensor as its result. */
  call(op: string, ...args: readonly Argument[]): Ref;
  /** Runs an op that has `count` tensors as its results. */
  callMany(op: string, count: number, ...args: readonly Argument[]): readonly Ref[];
  /** As `call`, for a result that is then written to: never one that others may see. */
  fresh(op: string, ...args: readonly Argument[]): Ref;
  /** Whether this libtorch has the op. */
  has(op: string): boolean;
}

/** An input of a kernel. */
export interface Operand extends TensorSpec {
  readonly ref: Ref;
  /** The value of all its elements, where that is known without reading them. */
  readonly constant: number | null;
}
/**
 * A primitive in ATen ops; null, before any op was called, leaves these arguments to the built-in engine.
 * Results may be operands. All refs hold the stored form of their dtype (`storage.ts`).
 */
export type Kernel<A extends object = object> = (
  torch: Torch,
  inputs: readonly Operand[],
  attributes: A,
  outputs: readonly TensorSpec[],
) => readonly Ref[] | null;
/** Kernels by the primitives they are of. */
export type TorchKernels = { readonly [P in PrimitiveName]?: Kernel<AttributesOf<P>> };

/** Whether the dtype has 16 bits of float. */
export const isHalf = (dtype: DType): boolean => dtype === "float16" || dtype === "bfloat16";
export const isFloat8 = (dtype: DType): boolean => dtype.startsWith("float8");
