import type { Tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { axisOf, constant } from "./support.js";

/** x scaled to length 1 along `axis`; squares below 1e-12 count as 1e-12. */
export function l2Normalize(x: Tensor, axis: number): Tensor {
  const squares = P.sum(P.multiply(x, x), [axisOf(axis, x.ndim)], true);
  return P.multiply(x, P.rsqrt(P.maximum(squares, constant(1e-12, squares))));
}
