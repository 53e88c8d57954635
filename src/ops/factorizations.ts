import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { half, identity, matmul, transposed } from "../primitives/matrix.js";
import { knownValues } from "./known-values.js";
import { matricesOf, squareMatricesOf } from "./matrices.js";

const symmetrized = (x: Tensor): Tensor => half(P.add(x, transposed(x)));

/**
 * The factor L of x = L Lᵀ (or U of x = Uᵀ U) for the symmetric part of positive-definite matrices [..., n, n].
 * Throws when x is not positive definite; compiled code gives NaN instead.
 */
export const cholesky = defineOp(
  "linalg.Cholesky",
  (x: TensorLike, { upper = false }: { upper?: boolean | undefined } = {}): Tensor => {
    const factor = P.cholesky(symmetrized(squareMatricesOf(x, "cholesky")));
    if (knownValues(factor)?.numbers().some(Number.isNaN))
      throw new RangeError(
        `cholesky expects positive-definite matrices. Received at least one of shape [${factor.shape.slice(-2)}] that is not.`,
      );
    return upper ? transposed(factor) : factor;
  },
);

/** The inverse of the matrices whose Cholesky factor is `x`. */
export const choleskyInverse = defineOp(
  "linalg.CholeskyInverse",
  (x: TensorLike, { upper = false }: { upper?: boolean | undefined } = {}): Tensor => {
    const t = squareMatricesOf(x, "choleskyInverse");
    const one = P.broadcastTo(identity(t.shape.at(-1)!, t.dtype), t.shape);
    const inverse = P.triangularSolve(t, one, { lower: !upper, transpose: false, unitDiagonal: false });
    return upper ? matmul(inverse, transposed(inverse)) : matmul(transposed(inverse), inverse);
  },
);

/** Complex64 eigenvalues [..., n] and eigenvectors [..., n, n] (columns) of general matrices. Has no gradient. */
export const eig = defineOp("linalg.Eig", (x: TensorLike): [values: Tensor, vectors: Tensor] => {
  const t = squareMatricesOf(x, "eig");
  const [valuesRe, valuesIm, vectorsRe, vectorsIm] = P.eig(P.cast(t, "float32"));
  return [P.complex(valuesRe, valuesIm), P.complex(vectorsRe, vectorsIm)];
});

/** Ascending eigenvalues [..., n] and eigenvectors [..., n, n] (columns) of the symmetric part of matrices. */
export const eigh = defineOp("linalg.Eigh", (x: TensorLike): [values: Tensor, vectors: Tensor] => {
  const [values, vectors] = P.eigh(symmetrized(squareMatricesOf(x, "eigh")));
  return [values, vectors];
});

/** L and U of the pivoted LU factorization of [..., m, n] in one matrix, and LAPACK's int32 pivots [..., min(m, n)]. */
export const luFactor = defineOp("linalg.LuFactor", (x: TensorLike): [packed: Tensor, pivots: Tensor] => {
  const [packed, pivots] = P.lu(matricesOf(x, "luFactor"));
  return [packed, pivots];
});

/** q with orthonormal columns and upper triangular r, with x = q r for [..., m, n]; q is [..., m, m] when `mode` is "complete". */
export const qr = defineOp(
  "linalg.Qr",
  (x: TensorLike, { mode = "reduced" }: { mode?: "reduced" | "complete" | undefined } = {}): [q: Tensor, r: Tensor] => {
    if (mode !== "reduced" && mode !== "complete")
      throw new TypeError(`qr: mode must be "reduced" or "complete". Received: ${JSON.stringify(mode)}.`);
    const [q, r] = P.qr(matricesOf(x, "qr"), mode === "complete");
    return [q, r];
  },
);

interface SvdOptions {
  /** Whether u and vᵀ are square. */
  fullMatrices?: boolean | undefined;
  /** Whether to return u and vᵀ too; if not, the result is the singular values alone. */
  computeUv?: boolean | undefined;
}
function svdOf(
  x: TensorLike,
  options?: SvdOptions & { computeUv?: true | undefined },
): [u: Tensor, s: Tensor, vt: Tensor];
function svdOf(x: TensorLike, options: SvdOptions & { computeUv: false }): Tensor;
function svdOf(x: TensorLike, options?: SvdOptions): [u: Tensor, s: Tensor, vt: Tensor] | Tensor;
function svdOf(x: TensorLike, { fullMatrices = true, computeUv = true }: SvdOptions = {}): Tensor[] | Tensor {
  const [u, s, vt] = P.svd(matricesOf(x, "svd"), fullMatrices && computeUv);
  return computeUv ? [u, s, vt] : s;
}
/** u, the descending singular values s, and vᵀ of [..., m, n], with x = u diag(s) vᵀ. */
export const svd = defineOp("linalg.SVD", svdOf);
