import type { Shape, TensorSpec } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { add, divide, multiply, subtract } from "./binary.js";
import { equal, select } from "./compare.js";
import { full, iota } from "./create.js";
import { definePrimitive, unaryPrimitive, type PrimitiveFunction } from "./define.js";
import { diagonalPart, half, identity, lower, matmul, scaleColumns, scaleRows, transposed, upper } from "./matrix.js";
import { reshape, slice } from "./movement.js";
import { negative } from "./unary.js";

export interface QrAttributes {
  readonly complete: boolean;
}
export interface SvdAttributes {
  readonly fullMatrices: boolean;
}

const stack = ({ shape }: TensorSpec): Shape => shape.slice(0, -2);
const rowsOf = ({ shape }: TensorSpec): number => shape.at(-2)!;
const columnsOf = ({ shape }: TensorSpec): number => shape.at(-1)!;
const zerosLike = (x: Tensor): Tensor => full(x.shape, 0, x.dtype);
const symmetrized = (x: Tensor): Tensor => half(add(x, transposed(x)));

const choleskyPrimitive: PrimitiveFunction<[x: Tensor, attributes: object], Tensor, object> = unaryPrimitive<object>(
  "cholesky",
  ({ shape, dtype }) => ({ shape, dtype }),
  (g, _, l) => {
    // Murray, 2016, "Differentiation of the Cholesky decomposition": S = L⁻ᵀ Φ(Lᵀ ḡ) L⁻¹, symmetrized.
    const inner = lower(matmul(transposed(l), g));
    const phi = subtract(inner, half(diagonalPart(inner)));
    const left = triangularSolve(l, phi, { lower: true, transpose: true, unitDiagonal: false });
    return symmetrized(
      transposed(triangularSolve(l, transposed(left), { lower: true, transpose: true, unitDiagonal: false })),
    );
  },
);
/** Lower L with L Lᵀ = x for symmetric positive-definite matrices [..., n, n]; NaN where x is not. Reads the lower triangle. */
export const cholesky: PrimitiveFunction<[x: Tensor], Tensor, object> = Object.assign(
  (x: Tensor): Tensor => choleskyPrimitive(x, {}),
  { primitive: choleskyPrimitive.primitive },
);

export interface TriangularSolveAttributes {
  readonly lower: boolean;
  /** Whether to solve with the transpose of `a`. */
  readonly transpose: boolean;
  /** Whether to take the diagonal of `a` as ones. */
  readonly unitDiagonal: boolean;
}
/** X with op(a) X = b for triangular a [..., n, n] and b [..., n, k]; the other triangle of `a` is not read. */
export const triangularSolve: PrimitiveFunction<
  [a: Tensor, b: Tensor, attributes: TriangularSolveAttributes],
  Tensor,
  TriangularSolveAttributes
> = definePrimitive(
  {
    name: "triangularSolve",
    infer: ([, b], _: TriangularSolveAttributes) => [{ shape: b!.shape, dtype: b!.dtype }],
    gradient: ([g], { inputs: [a], outputs: [x], attributes, needed }) => {
      const { lower: isLower, transpose, unitDiagonal } = attributes;
      const db = triangularSolve(a!, g!, { ...attributes, transpose: !transpose });
      if (!needed[0]) return [null, db];
      const outer = negative(transpose ? matmul(x!, transposed(db)) : matmul(db, transposed(x!)));
      return [isLower ? lower(outer, unitDiagonal ? 1 : 0) : upper(outer, unitDiagonal ? 1 : 0), db];
    },
  },
  (apply, a: Tensor, b: Tensor, attributes: TriangularSolveAttributes): Tensor => apply([a, b], attributes)[0]!,
);

/** Partial-pivoting LU of [..., m, n]: L and U packed in one matrix, LAPACK's int32 pivots, and the int32 row permutation p with x[p] = L U. */
export const lu: PrimitiveFunction<
  [x: Tensor],
  readonly [packed: Tensor, pivots: Tensor, permutation: Tensor],
  object
> = definePrimitive(
  {
    name: "lu",
    infer: ([x]) => {
      const k = Math.min(rowsOf(x!), columnsOf(x!));
      return [
        { shape: x!.shape, dtype: x!.dtype },
        { shape: [...stack(x!), k], dtype: "int32" as const },
        { shape: [...stack(x!), rowsOf(x!)], dtype: "int32" as const },
      ];
    },
    gradient: ([g], { outputs: [packed, , permutation] }) => [g ? luGradient(g, packed!, permutation!) : null],
  },
  (apply, x: Tensor): readonly [Tensor, Tensor, Tensor] => apply([x], {}) as readonly [Tensor, Tensor, Tensor],
);

/** For square x: P x̄ = L⁻ᵀ (Φₗ(Lᵀ L̄) + Φᵤ(Ū Uᵀ)) U⁻ᵀ, with Φₗ strictly lower and Φᵤ upper. */
function luGradient(g: Tensor, packed: Tensor, permutation: Tensor): Tensor {
  const n = columnsOf(packed);
  if (rowsOf(packed) !== n)
    throw new Error(`lu: the gradient is defined for square matrices. Received shape [${packed.shape}].`);
  const l = add(lower(packed, 1), identity(n, packed.dtype));
  const u = upper(packed);
  const inner = add(lower(matmul(transposed(l), lower(g, 1)), 1), upper(matmul(upper(g), transposed(u))));
  const left = triangularSolve(l, inner, { lower: true, transpose: true, unitDiagonal: true });
  const right = transposed(
    triangularSolve(u, transposed(left), { lower: false, transpose: false, unitDiagonal: false }),
  );
  const positions = reshape(permutation, [...permutation.shape, 1]);
  const oneHot = select(equal(positions, iota([n], 0, "int32")), full([], 1, packed.dtype), full([], 0, packed.dtype));
  return matmul(transposed(oneHot), right);
}

/** q [..., m, k] with orthonormal columns and upper triangular r [..., k, n], k = min(m, n), or m when `complete`. */
export const qr: PrimitiveFunction<[x: Tensor, complete?: boolean], readonly [q: Tensor, r: Tensor], QrAttributes> =
  definePrimitive(
    {
      name: "qr",
      infer: ([x], { complete }: QrAttributes) => {
        const [m, n] = [rowsOf(x!), columnsOf(x!)];
        const k = complete ? m : Math.min(m, n);
        return [
          { shape: [...stack(x!), m, k], dtype: x!.dtype },
          { shape: [...stack(x!), k, n], dtype: x!.dtype },
        ];
      },
      gradient: ([gq, gr], { inputs: [x], outputs: [q, r], attributes: { complete } }) => {
        const [m, n] = [rowsOf(x!), columnsOf(x!)];
        if (complete ? m !== n : m < n)
          throw new Error(
            `qr: the gradient needs m >= n, and a square matrix in complete mode. Received shape [${x!.shape}].`,
          );
        // Walter & Lehmann, 2012: x̄ = (q̄ + q copyltu(r r̄ᵀ - q̄ᵀ q)) r⁻ᵀ.
        const middle = subtract(
          gr ? matmul(r!, transposed(gr)) : zerosLike(r!),
          gq ? matmul(transposed(gq), q!) : zerosLike(r!),
        );
        const symmetric = add(lower(middle), transposed(lower(middle, 1)));
        const inner = gq ? add(gq, matmul(q!, symmetric)) : matmul(q!, symmetric);
        return [
          transposed(triangularSolve(r!, transposed(inner), { lower: false, transpose: false, unitDiagonal: false })),
        ];
      },
    },
    (apply, x: Tensor, complete = false): readonly [Tensor, Tensor] =>
      apply([x], { complete }) as readonly [Tensor, Tensor],
  );

/** 1 / (b_j - b_i) off the diagonal, 0 on it and where the two are equal: differences of eigenvalues. */
function inverseDifferences(values: Tensor): Tensor {
  const n = values.shape.at(-1)!;
  const difference = subtract(
    reshape(values, [...values.shape.slice(0, -1), 1, n]),
    reshape(values, [...values.shape, 1]),
  );
  const zero = equal(difference, full([], 0, values.dtype));
  return select(
    zero,
    full([], 0, values.dtype),
    divide(full([], 1, values.dtype), select(zero, full([], 1, values.dtype), difference)),
  );
}

/** Ascending eigenvalues [..., n] and eigenvectors [..., n, n] (columns) of symmetric matrices. Reads the lower triangle. */
export const eigh: PrimitiveFunction<[x: Tensor], readonly [w: Tensor, v: Tensor], object> = definePrimitive(
  {
    name: "eigh",
    infer: ([x]) => [
      { shape: x!.shape.slice(0, -1), dtype: x!.dtype },
      { shape: x!.shape, dtype: x!.dtype },
    ],
    gradient: ([gw, gv], { outputs: [w, v] }) => {
      const rotation = gv ? multiply(matmul(transposed(v!), gv), inverseDifferences(w!)) : zerosLike(v!);
      const inner = gw ? add(rotation, scaleRows(identity(w!.shape.at(-1)!, w!.dtype), gw)) : rotation;
      return [symmetrized(matmul(matmul(v!, inner), transposed(v!)))];
    },
  },
  (apply, x: Tensor): readonly [Tensor, Tensor] => apply([x], {}) as readonly [Tensor, Tensor],
);

/** Eigenvalues and right eigenvectors of general matrices, as real and imaginary parts: w_re, w_im [..., n], v_re, v_im [..., n, n]. */
export const eig: PrimitiveFunction<
  [x: Tensor],
  readonly [wRe: Tensor, wIm: Tensor, vRe: Tensor, vIm: Tensor],
  object
> = definePrimitive(
  {
    name: "eig",
    infer: ([x]) => {
      const w = { shape: x!.shape.slice(0, -1), dtype: x!.dtype };
      const v = { shape: x!.shape, dtype: x!.dtype };
      return [w, w, v, v];
    },
    gradient: null,
  },
  (apply, x: Tensor): readonly [Tensor, Tensor, Tensor, Tensor] =>
    apply([x], {}) as readonly [Tensor, Tensor, Tensor, Tensor],
);

/** Thin or full u, descending singular values s, and vᵀ of [..., m, n]. */
export const svd: PrimitiveFunction<
  [x: Tensor, fullMatrices?: boolean],
  readonly [u: Tensor, s: Tensor, vt: Tensor],
  SvdAttributes
> = definePrimitive(
  {
    name: "svd",
    infer: ([x], { fullMatrices }: SvdAttributes) => {
      const [m, n] = [rowsOf(x!), columnsOf(x!)];
      const k = Math.min(m, n);
      return [
        { shape: [...stack(x!), m, fullMatrices ? m : k], dtype: x!.dtype },
        { shape: [...stack(x!), k], dtype: x!.dtype },
        { shape: [...stack(x!), fullMatrices ? n : k, n], dtype: x!.dtype },
      ];
    },
    gradient: (gradients, { inputs: [x], outputs: [u, s, vt], attributes: { fullMatrices } }) => {
      const [m, n] = [rowsOf(x!), columnsOf(x!)];
      if (fullMatrices && m !== n && (gradients[0] || gradients[2]))
        throw new Error("svd: the gradient of singular vectors needs fullMatrices: false.");
      const k = Math.min(m, n);
      const thin = (t: Tensor, rows: number, columns: number): Tensor =>
        slice(
          t,
          t.shape.map(() => 0),
          [...t.shape.slice(0, -2), rows, columns],
        );
      return [svdGradient(gradients, thin(u!, m, k), s!, thin(vt!, k, n))];
    },
  },
  (apply, x: Tensor, fullMatrices = false): readonly [Tensor, Tensor, Tensor] =>
    apply([x], { fullMatrices }) as readonly [Tensor, Tensor, Tensor],
);

/** Townsend, 2016, "Differentiating the singular value decomposition". */
function svdGradient([gu, gs, gvt]: readonly (Tensor | null)[], u: Tensor, s: Tensor, vt: Tensor): Tensor {
  const [m, n, k] = [rowsOf(u), columnsOf(vt), s.shape.at(-1)!];
  const v = transposed(vt);
  const f = inverseDifferences(multiply(s, s));
  const antisymmetric = (x: Tensor): Tensor => subtract(x, transposed(x));
  const inverse = divide(full(s.shape, 1, s.dtype), s);
  let inner = gs ? scaleRows(identity(k, s.dtype), gs) : full([...s.shape, k], 0, s.dtype);
  if (gu) inner = add(inner, scaleColumns(multiply(f, antisymmetric(matmul(transposed(u), gu))), s));
  const gv = gvt ? transposed(gvt) : null;
  if (gv) inner = add(inner, scaleRows(multiply(f, antisymmetric(matmul(transposed(v), gv))), s));
  let result = matmul(matmul(u, inner), vt);
  if (gu && m > k) {
    const outside = subtract(gu, matmul(u, matmul(transposed(u), gu)));
    result = add(result, matmul(scaleColumns(outside, inverse), vt));
  }
  if (gv && n > k) {
    const outside = subtract(gv, matmul(v, matmul(transposed(v), gv)));
    result = add(result, matmul(u, scaleRows(transposed(outside), inverse)));
  }
  return result;
}
