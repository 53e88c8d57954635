import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { toFloat } from "./support.js";

/** Helpers on stacks of matrices [..., m, n] for linear algebra. */

const show = ({ shape }: Tensor): string => `[${shape.map((d) => (Number.isNaN(d) ? "null" : d)).join(", ")}]`;

/** `x` as a float tensor of matrices; throws when it has fewer than two axes. */
export function matricesOf(x: TensorLike, name: string): Tensor {
  const t = toFloat(x);
  if (t.ndim < 2) throw new RangeError(`${name} expects matrices of shape [..., m, n]. Received shape ${show(t)}.`);
  return t;
}
/** `x` as a float tensor of square matrices of known size; throws on anything else. */
export function squareMatricesOf(x: TensorLike, name: string): Tensor {
  const t = matricesOf(x, name);
  if (t.shape.at(-1) !== t.shape.at(-2))
    throw new RangeError(`${name} expects square matrices of shape [..., n, n]. Received shape ${show(t)}.`);
  return t;
}

/** Two stacks with their leading axes broadcast against each other. */
export function broadcastStacks(a: Tensor, b: Tensor, name: string): [Tensor, Tensor] {
  const lead = P.broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2), name);
  return [P.broadcastTo(a, [...lead, ...a.shape.slice(-2)]), P.broadcastTo(b, [...lead, ...b.shape.slice(-2)])];
}

/** The diagonals [..., min(m, n)] of [..., m, n]. */
export function diagonalOf(x: Tensor): Tensor {
  const [m, n] = x.shape.slice(-2) as [number, number];
  const k = Math.min(m, n);
  const last = x.ndim - 1;
  const square = P.slice(
    x,
    x.shape.map(() => 0),
    [...x.shape.slice(0, -2), k, k],
  );
  const onDiagonal = P.equal(P.iota([k, k], 0, "int32"), P.iota([k, k], 1, "int32"));
  return P.sum(P.select(onDiagonal, square, P.full([], 0, x.dtype)), [last]);
}
