import { expect } from "vitest";
import { vectorJacobianProduct } from "../core/gradient.js";
import { NDArray } from "../core/ndarray.js";
import { tensor, type Tensor, TensorScope } from "../core/tensor.js";
import * as P from "../primitives/index.js";

type Fn = (...xs: Tensor[]) => Tensor | readonly Tensor[];

/** Reproducible values between -1 and 1. */
export function sample(shape: readonly number[], seed = 1): Tensor {
  const size = shape.reduce((n, d) => n * d, 1);
  const values = Float32Array.from({ length: size }, (_, i) => {
    const u = Math.sin((i + 1) * 12.9898 + seed * 78.233) * 43758.5453;
    return 2 * (u - Math.floor(u)) - 1;
  });
  return tensor(new NDArray(values, shape, "float32"));
}
const numbers = async (x: Tensor): Promise<Float64Array> => (await x.data()).numbers();
const listOf = (ys: Tensor | readonly Tensor[]): Tensor[] => [ys].flat() as Tensor[];

/** Gradients of the sum of a function's results under fixed weights: a function that can be differentiated again. */
const gradientOf =
  (fn: Fn): Fn =>
  (...xs) =>
    vectorJacobianProduct(
      () => listOf(fn(...xs)),
      xs,
      (ys) => ys.map((y, i) => sample(y.shape, 40 + i)),
    ).gradients.map((g, i) => g ?? P.full(xs[i]!.shape, 0, xs[i]!.dtype));

async function weighedSum(
  fn: Fn,
  inputs: readonly Tensor[],
  directions: readonly Float64Array[],
  step: number,
): Promise<number> {
  using _ = new TensorScope();
  const moved = await Promise.all(
    inputs.map(async (x, i) => {
      const values = Float32Array.from(await numbers(x), (v, j) => v + step * directions[i]![j]!);
      return new NDArray(values, x.shape, "float32");
    }),
  );
  using _moved = new TensorScope();
  const outputs = listOf(fn(...moved.map((x) => tensor(x))));
  let total = 0;
  for (const [i, y] of outputs.entries()) {
    const weights = await numbers(sample(y.shape, 40 + i));
    (await numbers(y)).forEach((v, j) => (total += v * weights[j]!));
  }
  return total;
}

/** Expects the gradients of `fn`, and the gradients of those, to be what difference quotients say. */
export async function expectGradients(
  fn: Fn,
  inputs: readonly Tensor[],
  { order = 2, tolerance = 5e-3 }: { order?: 1 | 2; tolerance?: number } = {},
): Promise<void> {
  const directions = await Promise.all(inputs.map((x, i) => numbers(sample(x.shape, 7 + i))));
  const gradients = listOf(gradientOf(fn)(...inputs));
  let derivative = 0;
  for (const [i, g] of gradients.entries())
    (await numbers(g)).forEach((v, j) => (derivative += v * directions[i]![j]!));
  const h = 0.01;
  const at = (step: number): Promise<number> => weighedSum(fn, inputs, directions, step);
  const quotient = (8 * ((await at(h)) - (await at(-h))) - ((await at(2 * h)) - (await at(-2 * h)))) / (12 * h);
  expect(Math.abs(derivative - quotient)).toBeLessThan(tolerance * (1 + Math.abs(quotient)));
  if (order === 2) await expectGradients(gradientOf(fn), inputs, { order: 1, tolerance: 4 * tolerance });
}
