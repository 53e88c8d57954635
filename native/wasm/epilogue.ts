// What happens to a product on its way to memory.
import { maxNaN } from "./simd";

/** Flags of `gemm` and the convolutions. */
export const ACCUMULATE: i32 = 1;
export const BIAS: i32 = 2;
export const RELU: i32 = 4;

// @ts-ignore: decorator
@inline export function finish(pc: usize, x: v128, mode: i32, bias: usize): void {
  if (mode & ACCUMULATE) x = f32x4.add(v128.load(pc), x);
  if (mode & BIAS) x = f32x4.add(x, v128.load(bias));
  if (mode & RELU) x = maxNaN(x, f32x4.splat(0));
  v128.store(pc, x);
}
