import type { Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";

/** Repeats every element along `axis` `times` times in a row. */
export function repeatElements(x: Tensor, axis: number, times: number): Tensor {
  if (times === 1) return x;
  const [before, after] = [x.shape.slice(0, axis + 1), x.shape.slice(axis + 1)];
  const spread = P.broadcastTo(P.reshape(x, [...before, 1, ...after]), [...before, times, ...after]);
  return P.reshape(
    spread,
    x.shape.map((dim, i) => (i === axis ? dim * times : dim)),
  );
}
