import type { DType } from "../../core/dtype.js";
import type { Tensor } from "../../core/tensor.js";
import * as P from "../../primitives/index.js";
import { constant } from "../support.js";

/** Weight of an input pixel by its distance, which is >= 0. */
export type Kernel = (distance: Tensor) => Tensor;

/** Linear interpolation. */
const triangle: Kernel = (x) => P.maximum(constant(0, x), P.subtract(constant(1, x), x));
/** Coefficients from the highest power down. */
const polynomial = (x: Tensor, coefficients: readonly number[]): Tensor =>
  coefficients
    .slice(1)
    .reduce(
      (sum, c) => (c === 0 ? P.multiply(sum, x) : P.multiplyAdd(sum, x, constant(c, x))),
      constant(coefficients[0]!, x),
    );
/** Cubic convolution with a = -1/2 (Keys, "Cubic convolution interpolation for digital image processing", 1981). */
const cubic: Kernel = (x) => {
  const near = polynomial(x, [1.5, -2.5, 0, 1]);
  const far = polynomial(x, [-0.5, 2.5, -4, 2]);
  const beyond = P.greaterEqual(x, constant(2, x));
  return P.select(beyond, constant(0, x), P.select(P.greaterEqual(x, constant(1, x)), far, near));
};
/** A sinc function under the middle of a wider one. */
const lanczos =
  (radius: number): Kernel =>
  (x) => {
    const phase = P.multiply(constant(Math.PI, x), x);
    const waves = P.multiply(P.sin(phase), P.sin(P.divide(phase, constant(radius, x))));
    const square = P.multiply(constant(Math.PI ** 2, x), P.multiply(x, x));
    const apart = P.greater(x, constant(1e-3, x));
    const value = P.divide(P.multiply(constant(radius, x), waves), P.select(apart, square, constant(1, x)));
    return P.select(P.greater(x, constant(radius, x)), constant(0, x), P.select(apart, value, constant(1, x)));
  };
export const kernels = { triangle, cubic, lanczos3: lanczos(3), lanczos5: lanczos(5) };

export interface Sampling {
  readonly inputSize: number;
  readonly outputSize: number;
  /** Input pixels per output pixel, a float scalar. */
  readonly inverseScale: Tensor;
  /** Shift in output pixels, a float scalar; none when absent. */
  readonly translation?: Tensor;
  readonly kernel: Kernel;
  /** Whether the kernel widens where several pixels become one. */
  readonly antialias: boolean;
}
/**
 * How much of each input pixel an output pixel takes: [inputSize, outputSize], columns summing to 1, or all 0 where an output pixel's
 * center lies outside the input.
 */
export function samplingWeights({
  inputSize,
  outputSize,
  inverseScale,
  translation,
  kernel,
  antialias,
}: Sampling): Tensor {
  const dtype: DType = inverseScale.dtype;
  const number = (value: number): Tensor => P.full([], value, dtype);
  const centers = P.multiply(P.add(P.iota([1, outputSize], 1, dtype), number(0.5)), inverseScale);
  const shifted = translation ? P.subtract(centers, P.multiply(translation, inverseScale)) : centers;
  const samples = P.subtract(shifted, number(0.5));
  const distances = P.abs(P.subtract(samples, P.iota([inputSize, 1], 0, dtype)));
  const weights = kernel(antialias ? P.divide(distances, P.maximum(inverseScale, number(1))) : distances);
  const total = P.sum(weights, [0], true);
  const safe = P.select(P.notEqual(total, number(0)), total, number(1));
  // As in JAX: a sum below a thousand roundings is none.
  const some = P.greater(P.abs(total), number(1000 * 2 ** -23));
  const inside = P.logicalAnd(P.greaterEqual(samples, number(-0.5)), P.lessEqual(samples, number(inputSize - 0.5)));
  return P.select(P.logicalAnd(some, inside), P.divide(weights, safe), number(0));
}
