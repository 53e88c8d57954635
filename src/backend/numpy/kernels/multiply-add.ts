import type { NDArray } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { mapBlocks } from "../elementwise.js";

/** The product of two float32 numbers is exact in float64, so storing the sum is the only rounding that counts. */
function fused(
  n: number,
  [x, y, z]: readonly { readonly array: ArrayLike<number>; readonly at: number }[],
  out: Float32Array,
  o: number,
): void {
  const { array: a, at: p } = x!;
  const { array: b, at: q } = y!;
  const { array: c, at: r } = z!;
  for (let i = 0; i < n; i++) out[o + i] = a[p + i]! * b[q + i]! + c[r + i]!;
}

export const multiplyAdd: Kernels<NDArray>["multiplyAdd"] = (inputs, _, [spec]) => [
  mapBlocks(inputs, spec!, false, (sources, out) => (n, o) => fused(n, sources, out as Float32Array, o)),
];
