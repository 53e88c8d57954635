import { sizeOf } from "../../../core/ndarray.js";
import { converted, scalarType } from "../storage.js";
import type { Operand, TorchKernels } from "../torch.js";

const isDone = (...xs: readonly Operand[]): boolean =>
  xs.every(({ shape, dtype }) => dtype === "float32" && sizeOf(shape) > 0);

const cholesky: NonNullable<TorchKernels["cholesky"]> = (torch, [x]) => {
  if (!isDone(x!)) return null;
  const [l, info] = torch.callMany("linalg_cholesky_ex", 2, x!.ref, false, false);
  const lead = x!.shape.slice(0, -2);
  const definite = torch.call("reshape", torch.call("eq.Scalar", info!, 0), [...lead, 1, 1]);
  return [torch.call("where.ScalarOther", definite, l!, NaN)];
};

const triangularSolve: NonNullable<TorchKernels["triangularSolve"]> = (torch, [a, b], attributes) => {
  if (!isDone(a!, b!)) return null;
  const { lower, transpose, unitDiagonal } = attributes;
  const matrix = transpose ? torch.call("transpose.int", a!.ref, -2, -1) : a!.ref;
  return [torch.call("linalg_solve_triangular", matrix, b!.ref, lower === transpose, true, unitDiagonal)];
};

const lu: NonNullable<TorchKernels["lu"]> = (torch, [x]) => {
  if (!isDone(x!)) return null;
  const [packed, pivots] = torch.callMany("linalg_lu_factor_ex", 3, x!.ref, true, false);
  const [p] = torch.callMany("lu_unpack", 3, packed!, pivots!, false, true);
  // x = P L U: row i of L U is the row of x where column i of P has its 1.
  const permutation = torch.call("argmax", p!, -2, false);
  return [packed!, torch.call("sub.Scalar", pivots!, 1), converted(torch, permutation, scalarType.int32)];
};

const qr: NonNullable<TorchKernels["qr"]> = (torch, [x], { complete }) =>
  isDone(x!) ? torch.callMany("linalg_qr", 2, x!.ref, complete ? "complete" : "reduced") : null;

const eigh: NonNullable<TorchKernels["eigh"]> = (torch, [x]) =>
  isDone(x!) ? torch.callMany("linalg_eigh", 2, x!.ref, "L") : null;

const eig: NonNullable<TorchKernels["eig"]> = (torch, [x]) => {
  if (!isDone(x!)) return null;
  const [w, v] = torch.callMany("linalg_eig", 2, x!.ref);
  return [torch.call("real", w!), torch.call("imag", w!), torch.call("real", v!), torch.call("imag", v!)];
};

const svd: NonNullable<TorchKernels["svd"]> = (torch, [x], { fullMatrices }) =>
  isDone(x!) ? torch.callMany("linalg_svd", 3, x!.ref, fullMatrices) : null;

/** Without scaling in either direction. */
const fft: NonNullable<TorchKernels["fft"]> = (torch, [re, im], { inverse }) => {
  if (!isDone(re!, im!)) return null;
  const z = torch.call("complex", re!.ref, im!.ref);
  const y = inverse ? torch.call("fft_ifft", z, null, -1, "forward") : torch.call("fft_fft", z, null, -1);
  return [torch.call("real", y), torch.call("imag", y)];
};

export const linalgKernels = { cholesky, triangularSolve, lu, qr, eigh, eig, svd, fft } satisfies TorchKernels;
