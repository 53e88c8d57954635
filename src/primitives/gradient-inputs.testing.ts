import { NDArray } from "../core/ndarray.js";
import { tensor, type Tensor } from "../core/tensor.js";
import type * as P from "./index.js";

export interface GradientCase {
  readonly name: P.PrimitiveName;
  readonly label?: string;
  readonly fn: (xs: readonly Tensor[]) => readonly Tensor[];
  readonly inputs: readonly { readonly values: Float64Array; readonly shape: readonly number[] }[];
  /** Highest order of gradient to check; 2 unless the op has no second one. */
  readonly order?: 1 | 2;
}

/** Reproducible values between low and high, no two equal. */
export function input(shape: readonly number[], low = -1.5, high = 1.5, seed = 0): GradientCase["inputs"][number] {
  const size = shape.reduce((n, d) => n * d, 1);
  const values = Float64Array.from({ length: size }, (_, i) => {
    const u = Math.sin((i + 1) * 91.3458 + seed * 47.171) * 43758.5453;
    return low + (high - low) * (u - Math.floor(u));
  });
  return { values, shape };
}
/** Reproducible values at least 0.1 apart, in shuffled order: for ops that compare elements. */
export function apart(shape: readonly number[], low = 0.3): GradientCase["inputs"][number] {
  const size = shape.reduce((n, d) => n * d, 1);
  const step = [7, 11, 13, 17].find((prime) => size % prime !== 0)!;
  return { values: Float64Array.from({ length: size }, (_, i) => low + 0.1 * ((i * step + 3) % size)), shape };
}
export const int32 = (values: readonly number[], shape: readonly number[]): Tensor =>
  tensor(new NDArray(Int32Array.from(values), shape, "int32"));
export const one = (
  name: P.PrimitiveName,
  fn: (x: Tensor) => Tensor | readonly Tensor[],
  x: GradientCase["inputs"][number],
  label?: string,
  order?: 1 | 2,
): GradientCase => ({
  name,
  ...(label !== undefined && { label }),
  ...(order !== undefined && { order }),
  fn: ([t]) => [fn(t!)].flat(),
  inputs: [x],
});
export const two = (
  name: P.PrimitiveName,
  fn: (x: Tensor, y: Tensor) => Tensor | readonly Tensor[],
  x: GradientCase["inputs"][number],
  y: GradientCase["inputs"][number],
  label?: string,
): GradientCase => ({
  name,
  ...(label !== undefined && { label }),
  fn: ([a, b]) => [fn(a!, b!)].flat(),
  inputs: [x, y],
});
