import { isComplex, type TensorSpec } from "../../../core/dtype.js";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Kernels } from "../../backend.js";
import { cholesky } from "../linalg/cholesky.js";
import { eig } from "../linalg/eig.js";
import { eigh } from "../linalg/eigh.js";
import { luFactor } from "../linalg/lu.js";
import { qr } from "../linalg/qr.js";
import { svd } from "../linalg/svd.js";
import { solveTriangular } from "../linalg/triangular.js";

type Matrix = Float64Array;

/** Applies `factor` to each matrix of stacks with equal leading axes and stacks its results by the specs of the outputs. */
function batched(
  inputs: readonly NDArray[],
  outputs: readonly TensorSpec[],
  factor: (matrices: readonly Matrix[]) => readonly ArrayLike<number>[],
): NDArray[] {
  for (const { dtype, shape } of inputs)
    if (isComplex(dtype))
      throw new TypeError(
        `The numpy engine decomposes real matrices. Received: ${dtype} of shape [${shape}]. Give [[re, -im], [im, re]], a real matrix of twice the size.`,
      );
  const values = inputs.map((x) => x.numbers());
  const sizes = inputs.map(({ shape }) => sizeOf(shape.slice(-2)));
  const count = sizeOf(inputs[0]!.shape.slice(0, -2));
  const results = outputs.map(({ shape }) => new Float64Array(sizeOf(shape)));
  for (let i = 0; i < count; i++) {
    const matrices = values.map((all, j) => all.slice(i * sizes[j]!, (i + 1) * sizes[j]!));
    factor(matrices).forEach((part, j) => results[j]!.set(part, i * part.length));
  }
  return results.map((all, j) => new NDArray(all, outputs[j]!.shape, "float64").astype(outputs[j]!.dtype));
}
const rows = (x: NDArray): number => x.shape.at(-2)!;
const columns = (x: NDArray): number => x.shape.at(-1)!;

/** Decompositions of stacks of matrices, computed in double precision. */
export const linalgKernels = {
  cholesky: ([x], _, outputs) => {
    const n = rows(x!);
    return batched([x!], outputs, ([a]) => [cholesky(a!, n) ?? new Float64Array(n * n).fill(NaN)]);
  },
  triangularSolve: ([a, b], { lower, transpose, unitDiagonal }, outputs) =>
    batched([a!, b!], outputs, ([t, y]) => [
      solveTriangular(t!, rows(a!), y!, columns(b!), { lower, transposed: transpose, unitDiagonal }),
    ]),
  lu: ([x], _, outputs) =>
    batched([x!], outputs, ([a]) => {
      const { lu, pivots, permutation } = luFactor(a!, rows(x!), columns(x!));
      return [lu, pivots, permutation];
    }),
  qr: ([x], { complete }, outputs) =>
    batched([x!], outputs, ([a]) => {
      const { q, r } = qr(a!, rows(x!), columns(x!), complete ? "complete" : "reduced");
      return [q, r];
    }),
  eigh: ([x], _, outputs) =>
    batched([x!], outputs, ([a]) => {
      const { values, vectors } = eigh(a!, rows(x!));
      return [values, vectors];
    }),
  eig: ([x], _, outputs) =>
    batched([x!], outputs, ([a]) => {
      const { valuesRe, valuesIm, vectorsRe, vectorsIm } = eig(a!, rows(x!));
      return [valuesRe, valuesIm, vectorsRe, vectorsIm];
    }),
  svd: ([x], { fullMatrices }, outputs) =>
    batched([x!], outputs, ([a]) => {
      const { u, values, vt } = svd(a!, rows(x!), columns(x!), fullMatrices);
      return [u, values, vt];
    }),
} satisfies Pick<Kernels<NDArray>, "cholesky" | "triangularSolve" | "lu" | "qr" | "eigh" | "eig" | "svd">;
