import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { vectorJacobianProduct } from "../core/gradient.js";
import { NDArray } from "../core/ndarray.js";
import { tensor, type Tensor, TensorScope } from "../core/tensor.js";
import * as P from "./index.js";
import { gradientCases, type GradientCase, withoutGradient } from "./gradient-cases.testing.js";

const at = (values: Float64Array, shape: readonly number[]): Tensor =>
  tensor(new NDArray(Float32Array.from(values), shape, "float32"));
const valuesOf = async (x: Tensor): Promise<Float64Array> => (await x.data()).numbers();

/** A reproducible direction with entries away from 0. */
const direction = (size: number, seed: number): Float64Array =>
  Float64Array.from({ length: size }, (_, i) => Math.sin(12.9898 * (i + 1) + 78.233 * seed) * 0.7 + 0.1);
const weightsOf = (y: Tensor, i: number): Float64Array => direction(y.size, 7 + i);
const inner = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

type Fn = (xs: readonly Tensor[]) => readonly Tensor[];
const floats = (outputs: readonly Tensor[]): Tensor[] => outputs.filter((y) => y.dtype === "float32");
/** Gradients of sum(outputs · fixed weights), as a function that can be differentiated again. */
const gradientOf =
  (fn: Fn): Fn =>
  (xs) => {
    const { gradients } = vectorJacobianProduct(
      () => floats(fn(xs)),
      xs,
      (outputs) => outputs.map((y, i) => at(weightsOf(y, i), y.shape)),
    );
    return gradients.map((g, i) => g ?? P.full(xs[i]!.shape, 0, xs[i]!.dtype));
  };

async function compare(fn: Fn, inputs: GradientCase["inputs"]): Promise<void> {
  using _ = new TensorScope();
  const exact = gradientOf(fn)(inputs.map(({ values, shape }) => at(values, shape)));
  // Summed on the host in float64, so that only the rounding of single elements counts.
  const scalar = async (i: number, along: Float64Array, step: number): Promise<number> => {
    const outputs = floats(
      fn(
        inputs.map(({ values, shape }, j) => at(j === i ? values.map((v, k) => v + step * along[k]!) : values, shape)),
      ),
    );
    const parts = await Promise.all(outputs.map(async (y, k) => inner(await valuesOf(y), weightsOf(y, k))));
    return parts.reduce((a, b) => a + b, 0);
  };
  for (let i = 0; i < inputs.length; i++) {
    const along = direction(inputs[i]!.values.length, 3 + i);
    const h = 8e-3;
    const near = (await scalar(i, along, h)) - (await scalar(i, along, -h));
    const far = (await scalar(i, along, 2 * h)) - (await scalar(i, along, -2 * h));
    const numeric = (8 * near - far) / (12 * h);
    const analytic = inner(await valuesOf(exact[i]!), along);
    const scale = Math.max(1, Math.abs(numeric));
    expect(
      Math.abs(analytic - numeric) / scale,
      `input ${i}: gradient ${analytic}, difference quotient ${numeric}`,
    ).toBeLessThan(2e-3);
  }
}

describe("gradients equal difference quotients", () => {
  for (const { name, label, fn, inputs, order = 2 } of gradientCases) {
    it(`${name}${label ? ` (${label})` : ""}: order 1`, () => compare(fn, inputs));
    if (order > 1) it(`${name}${label ? ` (${label})` : ""}: order 2`, () => compare(gradientOf(fn), inputs));
  }
});

it("every primitive is covered or has no gradient to check", () => {
  const covered = new Set([...gradientCases.map(({ name }) => name), ...withoutGradient]);
  expect(Object.keys(P.primitives).filter((name) => !covered.has(name as P.PrimitiveName))).toEqual([]);
});
