import type { Tensor } from "../core/tensor.js";
import { pad } from "../primitives/index.js";

/** `x` with `count` rows of zeros after its last. */
export function padRows(x: Tensor, count: number): Tensor {
  if (count === 0) return x;
  const none = x.shape.map(() => 0);
  return pad(x, { low: none, high: none.map((_, i) => (i === 0 ? count : 0)), interior: none, value: 0 });
}
