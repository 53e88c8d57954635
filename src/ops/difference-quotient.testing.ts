import { expect } from "vitest";
import { vectorJacobianProduct } from "../core/gradient.js";
import { NDArray } from "../core/ndarray.js";
import { type Tensor, tensor, TensorScope } from "../core/tensor.js";
import * as P from "../primitives/index.js";

/** A tensor of reproducible values between -1 and 1 that are all different. */
export function wave(shape: readonly number[], phase = 0): Tensor {
  const size = shape.reduce((n, d) => n * d, 1);
  const values = Float32Array.from({ length: size }, (_, i) => Math.sin(1 + 2.399 * i + phase));
  return tensor(new NDArray(values, shape, "float32"));
}
/** A tensor of reproducible values, the nearest of which are 1/4 apart: for functions that bend where elements are equal. */
export function steps(shape: readonly number[]): Tensor {
  const size = shape.reduce((n, d) => n * d, 1);
  const values = Float32Array.from({ length: size }, (_, i) => ((i * 7919) % size) / 4 - size / 8);
  return tensor(new NDArray(values, shape, "float32"));
}
const numbersOf = async (x: Tensor): Promise<readonly number[]> => [...(await x.data()).numbers()];
const inner = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

/** Checks the gradients of sum(fn(xs) · fixed weights) in every input against difference quotients along one direction. */
export async function expectGradients(fn: (...xs: Tensor[]) => Tensor, xs: readonly Tensor[]): Promise<void> {
  using _ = new TensorScope();
  const { outputs, gradients } = vectorJacobianProduct(
    () => [fn(...xs)],
    xs,
    ([y]) => [wave(y!.shape, 5)],
  );
  const weights = await numbersOf(wave(outputs[0]!.shape, 5));
  for (const [i, x] of xs.entries()) {
    const direction = wave(x.shape, 9 + i);
    const moved = async (step: number): Promise<number> => {
      const at = P.add(x, P.multiply(direction, P.full([], step, "float32")));
      return inner(await numbersOf(fn(...xs.map((other, j) => (i === j ? at : other)))), weights);
    };
    const h = 4e-3;
    const numeric =
      (8 * ((await moved(h)) - (await moved(-h))) - ((await moved(2 * h)) - (await moved(-2 * h)))) / (12 * h);
    const analytic = inner(await numbersOf(gradients[i]!), await numbersOf(direction));
    expect(Math.abs(analytic - numeric) / Math.max(1, Math.abs(numeric)), `input ${i}`).toBeLessThan(5e-3);
  }
}
