import { promoted } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { identity, matmul, scaleRows, transposed } from "../primitives/matrix.js";
import { broadcastStacks, matricesOf, squareMatricesOf } from "./matrices.js";
import { constant, toFloat } from "./support.js";
import { withGradient } from "./with-gradient.js";

const general = { transpose: false, unitDiagonal: false };

/** X with A X = B for stacks with equal leading axes. */
export function solveMatrices(a: Tensor, b: Tensor): Tensor {
  const body = ([m, y]: readonly Tensor[]): Tensor[] => {
    const [packed, , permutation] = P.lu(m!);
    const rows = P.broadcastTo(P.reshape(permutation, [...permutation.shape, 1]), y!.shape);
    const permuted = P.takeAlongAxis(y!, rows, y!.ndim - 2);
    const forward = P.triangularSolve(packed, permuted, { lower: true, transpose: false, unitDiagonal: true });
    return [P.triangularSolve(packed, forward, { lower: false, ...general })];
  };
  return withGradient("solve", [a, b], body, ([g], { inputs: [m], outputs: [x] }) => {
    const db = solveMatrices(transposed(m!), g!);
    return [P.negative(matmul(db, transposed(x!))), db];
  })[0]!;
}

/** Matrices and right sides of a system, ready to solve, and the way back for right sides that were vectors. */
function systemOf(
  a: TensorLike,
  b: TensorLike,
  name: string,
  areVectors: (a: Tensor, b: Tensor) => boolean,
): { a: Tensor; b: Tensor; restore: (x: Tensor) => Tensor } {
  const [m, y] = promoted([squareMatricesOf(a, name), toFloat(b)]) as [Tensor, Tensor];
  const vectors = y.ndim === 1 || areVectors(m, y);
  const columns = vectors ? P.reshape(y, [...y.shape, 1]) : y;
  if (columns.ndim < 2 || columns.shape.at(-2) !== m.shape.at(-1))
    throw new RangeError(
      `${name}: right sides of shape [${y.shape}] do not fit matrices of shape [${m.shape}]. Expected [..., ${m.shape.at(-1)}] or [..., ${m.shape.at(-1)}, k].`,
    );
  const [left, right] = broadcastStacks(m, columns, name);
  return { a: left, b: right, restore: (x) => (vectors ? P.reshape(x, x.shape.slice(0, -1)) : x) };
}

/** x with a x = b for square matrices a [..., n, n] and vectors b [..., n] or matrices b [..., n, k]. */
export const solve = defineOp("linalg.Solve", (a: TensorLike, b: TensorLike): Tensor => {
  // A stack of vectors that could be one matrix is taken for the matrix.
  const system = systemOf(a, b, "solve", (m, y) => y.ndim === m.ndim - 1 && y.shape.at(-2) !== m.shape.at(-1));
  return system.restore(solveMatrices(system.a, system.b));
});

/** x with a x = b for upper (or lower) triangular a; the other triangle is not read. */
export const solveTriangular = defineOp(
  "linalg.SolveTriangular",
  (a: TensorLike, b: TensorLike, { lower = false }: { lower?: boolean | undefined } = {}): Tensor => {
    const system = systemOf(a, b, "solveTriangular", (m, y) => y.ndim === m.ndim - 1);
    return system.restore(P.triangularSolve(system.a, system.b, { lower, ...general }));
  },
);

const inverseOf = (t: Tensor): Tensor => solveMatrices(t, P.broadcastTo(identity(t.shape.at(-1)!, t.dtype), t.shape));
/** Inverses of square matrices [..., n, n]. */
export const inv = defineOp("linalg.Inv", (x: TensorLike): Tensor => inverseOf(squareMatricesOf(x, "inv")));

/** Square matrices [..., n, n] to an integer power, which may be negative. */
export const matrixPower = defineOp(
  "linalg.MatrixPower",
  (x: TensorLike, n: number): Tensor => {
    if (!Number.isInteger(n)) throw new TypeError(`matrixPower: the exponent must be an integer. Received: ${n}.`);
    const t = squareMatricesOf(x, "matrixPower");
    let base = n < 0 ? inverseOf(t) : t;
    let result: Tensor | null = null;
    for (let left = Math.abs(n); left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) result = result ? matmul(result, base) : base;
      if (left > 1) base = matmul(base, base);
    }
    return result ?? P.broadcastTo(identity(t.shape.at(-1)!, t.dtype), t.shape);
  },
  { static: ["n"] },
);

/** Distance of 1 from the next float32. */
const epsilon = 2 ** -23;
const relativeCutoff = ({ shape }: Tensor): number => Math.max(shape.at(-1)!, shape.at(-2)!) * epsilon;
const largest = (s: Tensor): Tensor =>
  P.slice(
    s,
    s.shape.map(() => 0),
    [...s.shape.slice(0, -1), 1],
  );

/** How many singular values of [..., m, n] exceed `tol`, by default the largest one times max(m, n) times float32's epsilon. Int32. */
export const matrixRank = defineOp(
  "linalg.MatrixRank",
  (x: TensorLike, { tol = null }: { tol?: number | null | undefined } = {}): Tensor => {
    const t = matricesOf(x, "matrixRank");
    const [, s] = P.svd(t);
    const cutoff = tol === null ? P.multiply(largest(s), constant(relativeCutoff(t), s)) : constant(tol, s);
    return P.sum(P.cast(P.greater(s, cutoff), "int32"), [s.ndim - 1]);
  },
);

/** The minimum-norm x that minimizes |a x - b| for a [m, n] and b [m] or [m, k]; singular values below `rcond` times the largest count as zero. */
export const lstsq = defineOp(
  "linalg.Lstsq",
  (a: TensorLike, b: TensorLike, { rcond = null }: { rcond?: number | null | undefined } = {}): Tensor => {
    const [m, y] = promoted([matricesOf(a, "lstsq"), toFloat(b)]) as [Tensor, Tensor];
    if (m.ndim !== 2 || y.ndim < 1 || y.ndim > 2 || y.shape[0] !== m.shape[0])
      throw new RangeError(
        `lstsq expects a of shape [m, n] and b of shape [m] or [m, k]. Received shapes [${m.shape}] and [${y.shape}].`,
      );
    const columns = y.ndim === 1 ? P.reshape(y, [...y.shape, 1]) : y;
    const [u, s, vt] = P.svd(m);
    const kept = P.greaterEqual(s, P.multiply(largest(s), constant(rcond ?? relativeCutoff(m), s)));
    const one = constant(1, s);
    const inverse = P.select(kept, P.divide(one, P.select(kept, s, one)), constant(0, s));
    const x = matmul(transposed(vt), scaleRows(matmul(transposed(u), columns), inverse));
    return y.ndim === 1 ? P.reshape(x, [m.shape[1]!]) : x;
  },
);

/** Moore-Penrose inverses [..., n, m] of [..., m, n]; singular values up to `rcond` times the largest count as zero. */
export const pinv = defineOp(
  "linalg.Pinv",
  (x: TensorLike, { rcond = null }: { rcond?: number | null | undefined } = {}): Tensor => {
    const matrices = matricesOf(x, "pinv");
    const limit = rcond ?? 10 * relativeCutoff(matrices);
    const body = ([t]: readonly Tensor[]): Tensor[] => {
      const [u, s, vt] = P.svd(t!);
      const kept = P.greater(s, P.multiply(largest(s), constant(limit, s)));
      const one = constant(1, s);
      const inverse = P.select(kept, P.divide(one, P.select(kept, s, one)), constant(0, s));
      return [matmul(transposed(vt), scaleRows(transposed(u), inverse))];
    };
    return withGradient("pinv", [matrices], body, ([g], { inputs: [t], outputs: [p] }) => {
      // Golub & Pereyra, 1973: dP = -P dA P + P Pᵀ dAᵀ (I - A P) + (I - P A) dAᵀ Pᵀ P.
      const [pt, gt] = [transposed(p!), transposed(g!)];
      const outside = P.subtract(gt, matmul(t!, matmul(p!, gt)));
      const inside = P.subtract(gt, matmul(gt, matmul(p!, t!)));
      const inner = matmul(pt, matmul(g!, pt));
      return [P.add(P.subtract(matmul(matmul(outside, p!), pt), inner), matmul(pt, matmul(p!, inside)))];
    })[0]!;
  },
);
