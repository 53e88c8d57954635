import { traceClosure } from "../core/trace.js";
import type { Tensor } from "../core/tensor.js";
import { type GradientCase, input, one, two } from "./gradient-inputs.testing.js";
import * as P from "./index.js";
import { matmul, transposed } from "./matrix.js";

const square = (x: Tensor): Tensor => P.multiply(x, x);
const n = 3;
/** A well-conditioned symmetric positive-definite matrix from any matrix. */
const definite = (x: Tensor): Tensor =>
  P.add(
    matmul(x, transposed(x)),
    P.select(
      P.equal(P.iota([n, n], 0, "int32"), P.iota([n, n], 1, "int32")),
      P.full([], 2, x.dtype),
      P.full([], 0, x.dtype),
    ),
  );
const symmetric = (x: Tensor): Tensor => P.add(x, transposed(x));
export const linalgCases: GradientCase[] = [
  one("cholesky", (x) => P.cholesky(definite(x)), input([2, n, n])),
  ...[true, false].flatMap((lower) =>
    [true, false].map((transpose) =>
      two(
        "triangularSolve",
        (a, b) => P.triangularSolve(definite(a), b, { lower, transpose, unitDiagonal: false }),
        input([n, n], -0.7, 0.7),
        input([n, 2], -1, 1, 3),
        `lower ${lower}, transpose ${transpose}`,
      ),
    ),
  ),
  one("lu", (x) => P.lu(definite(x))[0], input([n, n])),
  one("qr", (x) => P.qr(x), input([4, n])),
  one("eigh", (x) => P.eigh(symmetric(x))[0], input([n, n])),
  one(
    "eigh",
    (x) => {
      const [, v] = P.eigh(symmetric(x));
      return square(v);
    },
    input([n, n]),
    "vectors",
    1,
  ),
  one("svd", (x) => P.svd(x)[1], input([n, 4])),
  one(
    "svd",
    (x) => {
      const [u, , vt] = P.svd(x);
      return [square(u), square(vt)];
    },
    input([4, n]),
    "vectors",
    1,
  ),
];

/** carry' = tanh(carry · k + x), result = carry'². */
function recurrence([h, x, k]: readonly Tensor[], keepCarries: boolean): readonly Tensor[] {
  const { program, captured } = traceClosure(
    ([c, xi]) => {
      const next = P.tanh(P.add(P.multiply(c!, k!), xi!));
      return [next, P.multiply(next, next)];
    },
    [
      { shape: [2], dtype: h!.dtype },
      { shape: [2], dtype: x!.dtype },
    ],
  );
  return P.scan([h!, x!, ...captured], {
    body: program,
    carries: 1,
    sequences: 1,
    length: 4,
    reverse: false,
    keepCarries,
  }).slice(0, 2);
}
function branch([x, y]: readonly Tensor[], taken: boolean): readonly Tensor[] {
  const specs = [x!, y!];
  const predicate = P.full([], taken ? 1 : 0, "bool");
  return P.cond(predicate, specs, {
    whenTrue: traceClosure(([a, b]) => [P.multiply(P.sin(a!), b!)], specs).program,
    whenFalse: traceClosure(([a, b]) => [P.add(P.multiply(a!, a!), P.exp(b!))], specs).program,
  });
}
export const controlCases: GradientCase[] = [
  {
    name: "scan",
    fn: (xs) => recurrence(xs, true),
    inputs: [input([2]), input([4, 2], -1, 1, 3), input([2], 0.3, 0.9, 5)],
  },
  ...[true, false].map((taken): GradientCase => ({
    name: "cond",
    label: String(taken),
    fn: (xs) => branch(xs, taken),
    inputs: [input([2, 3]), input([2, 3], -1, 1, 3)],
  })),
];
