import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { identity, transposed } from "../primitives/matrix.js";
import { diagonalOf, squareMatricesOf } from "./matrices.js";
import { solveMatrices } from "./solvers.js";
import { constant } from "./support.js";
import { withGradient } from "./with-gradient.js";

/** The diagonal of U and the sign of the row permutation of an LU factorization. */
function pivotsOf(t: Tensor): { diagonal: Tensor; sign: Tensor } {
  const [packed, pivots] = P.lu(t);
  const n = pivots.shape.at(-1)!;
  const moved = P.notEqual(pivots, P.iota([n], 0, "int32"));
  const one = P.full([], 1, t.dtype);
  const sign = P.product(P.select(moved, P.negative(one), one), [pivots.ndim - 1]);
  return { diagonal: diagonalOf(packed), sign };
}

/** Element [i, j] of each matrix. */
function element(t: Tensor, i: number, j: number): Tensor {
  const lead = t.shape.slice(0, -2);
  const zeros = lead.map(() => 0);
  return P.reshape(P.slice(t, [...zeros, i, j], [...lead, i + 1, j + 1]), lead);
}
/** By cofactors along the first row: exact, and differentiable where the matrix is singular. */
function smallDeterminant(t: Tensor, rows: readonly number[], columns: readonly number[]): Tensor {
  const [row, ...rest] = rows;
  if (row === undefined) return P.full(t.shape.slice(0, -2), 1, t.dtype);
  return columns
    .map((column, k) => {
      const minor = smallDeterminant(
        t,
        rest,
        columns.filter((c) => c !== column),
      );
      const term = P.multiply(element(t, row, column), minor);
      return k % 2 === 0 ? term : P.negative(term);
    })
    .reduce((sum, term) => P.add(sum, term));
}
const stackOf = (x: Tensor): Tensor => P.reshape(x, [...x.shape, 1, 1]);

/** Determinants [...] of square matrices [..., n, n]. For singular matrices larger than 3 the gradient is taken as zero. */
export const det = defineOp("linalg.Det", (x: TensorLike): Tensor => {
  const matrices = squareMatricesOf(x, "det");
  const n = matrices.shape.at(-1)!;
  if (n <= 3) {
    const all = Array.from({ length: n }, (_, i) => i);
    return smallDeterminant(matrices, all, all);
  }
  const body = ([t]: readonly Tensor[]): Tensor[] => {
    const { diagonal, sign } = pivotsOf(t!);
    return [P.multiply(P.product(diagonal, [diagonal.ndim - 1]), sign)];
  };
  return withGradient("det", [matrices], body, ([g], { inputs: [t], outputs: [y] }) => {
    // Jacobi: the gradient is det(x) x⁻ᵀ.
    const one = P.broadcastTo(identity(n, t!.dtype), t!.shape);
    const regular = P.select(stackOf(P.equal(y!, constant(0, y!))), one, t!);
    return [P.multiply(stackOf(P.multiply(g!, y!)), transposed(solveMatrices(regular, one)))];
  })[0]!;
});

/** Signs and logarithms of the absolute values of determinants; 0 and -Infinity for singular matrices. */
export const slogdet = defineOp("numpy.Slogdet", (x: TensorLike): [sign: Tensor, logdet: Tensor] => {
  const { diagonal, sign } = pivotsOf(squareMatricesOf(x, "slogdet"));
  const last = [diagonal.ndim - 1];
  return [P.multiply(P.product(P.sign(diagonal), last), sign), P.sum(P.log(P.abs(diagonal)), last)];
});

/** Logarithms of the absolute values of determinants. */
export const logdet = defineOp("math.Logdet", (x: TensorLike): Tensor => {
  const { diagonal } = pivotsOf(squareMatricesOf(x, "logdet"));
  return P.sum(P.log(P.abs(diagonal)), [diagonal.ndim - 1]);
});
