import "../backend/index.js";
import { describe, expect, it } from "vitest";
import * as activations from "../activations/index.js";
import { vectorJacobianProduct } from "../core/gradient.js";
import { type Tensor, tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { expectGradients, wave } from "./difference-quotient.testing.js";

type Activation = (x: Tensor) => Tensor;
const byName = Object.fromEntries(
  activations.activations.names
    .filter((name) => name !== "threshold")
    .map((name) => [name, activations.get(name) as Activation]),
);
const slopes = async (fn: Activation, xs: readonly number[]): Promise<number[]> => {
  const x = tensor(xs, "float32");
  const { gradients } = vectorJacobianProduct(
    () => [fn(x)],
    [x],
    ([y]) => [P.full(y!.shape, 1, "float32")],
  );
  return [...(await gradients[0]!.data()).numbers()];
};

it.each(Object.entries(byName))("%s has the slope of its difference quotients", async (_, fn) => {
  await expectGradients(fn, [P.multiply(wave([4, 6]), P.full([], 2.3, "float32"))]);
});

describe("far from 0", () => {
  const bounded = [
    "elu",
    "selu",
    "celu",
    "gelu",
    "silu",
    "mish",
    "softplus",
    "log_sigmoid",
    "sigmoid",
    "tanh",
    "squareplus",
  ];
  it.each(bounded)("%s and its slope stay finite", async (name) => {
    const fn = byName[name]!;
    const values = (await fn(tensor([-1e4, -100, 100, 1e4], "float32")).data()).numbers();
    expect([...values, ...(await slopes(fn, [-1e4, -100, 100, 1e4]))].every(Number.isFinite)).toBe(true);
  });
  it("softmax, logSoftmax and softplus keep their precision", async () => {
    expect(await activations.softmax(tensor([1000, 1000], "float32")).array()).toEqual([0.5, 0.5]);
    expect(await activations.logSoftmax(tensor([0, -1000], "float32")).array()).toEqual([0, -1000]);
    expect(await activations.softplus(tensor([-100, 100], "float32")).array()).toEqual([
      Math.fround(Math.exp(-100)),
      100,
    ]);
  });
});

it("slopes at the bends are those of JAX", async () => {
  expect(await slopes(activations.relu, [0])).toEqual([0]);
  expect(await slopes(activations.relu6, [0, 6])).toEqual([0, 0]);
  expect(await slopes(activations.leakyRelu, [0])).toEqual([1]);
  expect(await slopes(activations.hardTanh, [-1, 1])).toEqual([1, 1]);
});
it("relu takes slope, cap and threshold", async () => {
  const x = tensor([-2, 0.5, 3, 9], "float32");
  const y = activations.relu(x, { negativeSlope: 0.5, maxValue: 4, threshold: 1 });
  expect(await y.array()).toEqual([-1.5, -0.25, 3, 4]);
});
it("gelu is exact unless told otherwise", async () => {
  const [exact, tanhForm] = [activations.gelu(tensor(1.5)), activations.gelu(tensor(1.5), { approximate: true })];
  expect(await exact.item()).toBeCloseTo(1.5 * 0.9331927987, 6);
  expect(await tanhForm.item()).not.toBeCloseTo(1.5 * 0.9331927987, 6);
});
