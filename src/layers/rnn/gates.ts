import type { Tensor } from "../../core/tensor.js";
import { withGradient } from "../../ops/with-gradient.js";
import * as P from "../../primitives/index.js";

/** `count` equal parts along the last axis but `after`. Their gradients are joined, which is less work than adding up one for each part. */
export function gatesOf(sums: Tensor, count: number, after = 0): readonly Tensor[] {
  const axis = sums.ndim - 1 - after;
  const width = sums.shape[axis]! / count;
  const at = (i: number): number[] => sums.shape.map((_, k) => (k === axis ? i * width : 0));
  const end = (i: number): number[] => sums.shape.map((size, k) => (k === axis ? (i + 1) * width : size));
  return withGradient(
    "gates",
    [sums],
    ([x]) => Array.from({ length: count }, (_, i) => P.slice(x!, at(i), end(i))),
    (gradients, { outputs }) => [
      P.concatenate(
        gradients.map((g, i) => g ?? P.full(outputs[i]!.shape, 0, sums.dtype)),
        axis,
      ),
    ],
  );
}
