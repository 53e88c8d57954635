import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { tensor, type Tensor } from "../core/tensor.js";
import { jit } from "../core/jit.js";
import { add, multiply } from "./arithmetic.js";
import { det, logdet, slogdet } from "./determinants.js";
import { expectGradients, sample } from "./differences.testing.js";
import { cholesky, choleskyInverse, eigh, qr, svd } from "./factorizations.js";
import { jvp } from "./jvp.js";
import { matmul } from "./matmul.js";
import { norm } from "./norm.js";
import { transpose } from "./shape.js";
import { inv, lstsq, matrixPower, pinv, solve, solveTriangular } from "./solvers.js";

const eye = [
  [2, 0, 0],
  [0, 2, 0],
  [0, 0, 2],
];
const definite = (x: Tensor): Tensor => add(matmul(x, transpose(x)), eye);
const square = (x: Tensor): Tensor => multiply(x, x);
const a = sample([3, 3]);
const b = sample([3, 2], 2);

describe("gradients of linear algebra", () => {
  it.each<[string, (x: Tensor) => Tensor | readonly Tensor[]]>([
    ["cholesky", (x) => cholesky(definite(x))],
    ["cholesky, upper", (x) => cholesky(definite(x), { upper: true })],
    ["choleskyInverse", (x) => choleskyInverse(cholesky(definite(x)))],
    ["det", det],
    ["logdet", (x) => logdet(definite(x))],
    ["slogdet", (x) => slogdet(definite(x))[1]],
    ["inv", (x) => inv(definite(x))],
    ["matrixPower", (x) => matrixPower(definite(x), -2)],
    ["pinv of a regular matrix", (x) => pinv(definite(x))],
    ["eigh, values", (x) => eigh(add(x, transpose(x)))[0]],
    ["svd, values", (x) => svd(x, { computeUv: false })],
    ["qr", (x) => qr(add(x, eye))],
    ["nuclear norm", (x) => norm(x, { ord: "nuc" })],
    ["3-norm", (x) => norm(x, { ord: 3, axis: 1 })],
    ["largest row sum", (x) => norm(x, { ord: Infinity })],
  ])("%s", async (_, fn) => expectGradients(fn, [a]));

  it("eigenvectors and singular vectors, up to their signs", async () => {
    await expectGradients((x) => square(eigh(add(x, transpose(x)))[1]), [a], { order: 1 });
    await expectGradients(
      (x) => {
        const [u, , vt] = svd(x, { fullMatrices: false });
        return [square(u), square(vt)];
      },
      [sample([3, 4])],
      { order: 1, tolerance: 0.02 },
    );
  });
  it("determinants of large matrices", async () => expectGradients(det, [sample([5, 5], 3)]));
  it("pseudo-inverses of long matrices", async () => expectGradients((x) => pinv(x), [sample([5, 2])]));
  it("systems", async () => {
    await expectGradients((m, y) => solve(definite(m), y), [a, b]);
    await expectGradients((m, y) => solveTriangular(definite(m), y, { lower: true }), [a, b]);
    await expectGradients((m, y) => lstsq(m, y), [sample([5, 2]), sample([5, 3], 4)]);
  });
});

describe("linear algebra", () => {
  it("rejects matrices that are not positive definite in eager code only", async () => {
    const indefinite = tensor([
      [1, 2],
      [2, 1],
    ]);
    expect(() => cholesky(indefinite)).toThrow("positive-definite");
    expect((await jit((x: Tensor) => cholesky(x))(indefinite).data()).numbers().some(Number.isNaN)).toBe(true);
  });
  it("differentiates determinants of singular matrices", async () => {
    const { gradients } = await gradientsOfDet([
      [1, 2, 3],
      [2, 4, 6],
      [1, 1, 1],
    ]);
    expect(gradients).toEqual([
      [-2, 4, -2],
      [1, -2, 1],
      [0, 0, 0],
    ]);
  });
  it("takes right sides that are vectors, matrices, or stacks of them", () => {
    const stack = add(sample([4, 3, 3]), eye);
    expect(solve(stack, sample([3])).shape).toEqual([4, 3]);
    expect(solve(stack, sample([4, 3])).shape).toEqual([4, 3]);
    expect(solve(stack, sample([4, 3, 2])).shape).toEqual([4, 3, 2]);
    expect(solve(sample([2, 2, 2]), sample([2, 2])).shape).toEqual([2, 2, 2]);
    expect(() => solve(stack, sample([2]))).toThrow("do not fit");
  });
});

async function gradientsOfDet(matrix: number[][]): Promise<{ gradients: unknown }> {
  const { vectorJacobianProduct } = await import("../core/gradient.js");
  const x = tensor(matrix, "float32");
  const { gradients } = vectorJacobianProduct(
    () => [det(x)],
    [x],
    () => [tensor(1, "float32")],
  );
  return { gradients: await gradients[0]!.array() };
}

describe("jvp", () => {
  it("gives the derivative along the tangents, in the structure of the result", async () => {
    const [value, tangent, aux] = jvp(
      (x: Tensor, { y }: { y: Tensor }) => [{ product: multiply(x, y), sum: [add(x, y)] }, "kept"],
      [tensor([2, 3], "float32"), { y: tensor([5, 7], "float32") }],
      [tensor([1, 0], "float32"), { y: tensor([0, 10], "float32") }],
      { hasAux: true },
    ) as [unknown, { product: Tensor; sum: [Tensor] }, string];
    expect(Object.keys(value as object)).toEqual(["product", "sum"]);
    expect(await tangent.product.array()).toEqual([5, 30]);
    expect(await tangent.sum[0].array()).toEqual([1, 10]);
    expect(aux).toBe("kept");
  });
  it("takes one tensor given twice for two variables", async () => {
    const x = tensor(3, "float32");
    const [, tangent] = jvp((p: Tensor, q: Tensor) => multiply(p, q), [x, x], [1, 0]) as [Tensor, Tensor];
    expect(await tangent.item()).toBe(3);
  });
  it("needs tangents like its primals", () => {
    expect(() => jvp((x: Tensor) => x, [sample([2])], [sample([3])])).toThrow("its primal has shape");
  });
});
