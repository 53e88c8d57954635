import { gilesFloat32 } from "./erf-inv.js";
import { log1pFloat32 } from "./log-float32.js";

/** The inverse of erf in float32 arithmetic, equal to JAX's `erf_inv` on CPUs to the last bit. */
export function erfInvFloat32(x: number): number {
  if (Math.abs(x) === 1) return x * Infinity;
  return Math.fround(gilesFloat32(-log1pFloat32(-Math.fround(x * x))) * x);
}
