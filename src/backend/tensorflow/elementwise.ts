import { areFloats, liesHere, type NativeKernel, type NativeKernels } from "./native.js";
import { run } from "./run.js";
import { Value } from "./value.js";

/** Kernels that broadcast more axes than this give wrong results. */
const MAX_RANK = 6;

const unary =
  (kernel: string): NativeKernel<object> =>
  ([x], _, [spec]) =>
    areFloats([x!], spec!) && liesHere([x!]) ? [Value.ofTensor(run(kernel, { x: x!.tensor }), spec!)] : null;

const binary =
  (kernel: string): NativeKernel<object> =>
  (inputs, _, [spec]) => {
    if (!areFloats(inputs, spec!) || !liesHere(inputs) || spec!.shape.length > MAX_RANK) return null;
    const [a, b] = inputs;
    return [Value.ofTensor(run(kernel, { a: a!.tensor, b: b!.tensor }), spec!)];
  };

/** Only max(x, 0): the general kernel loses NaN. */
const maximum: NativeKernel<object> = ([x, y], _, [spec]) => {
  const other = y!.scalar === 0 ? x! : x!.scalar === 0 ? y! : null;
  if (!other || other.shape.length !== spec!.shape.length || !areFloats([other], spec!) || !liesHere([other]))
    return null;
  return [Value.ofTensor(run("Relu", { x: other.tensor }), spec!)];
};

/**
 * Elementwise work that TensorFlow.js does with SIMD and rightly. Not here: exp, log, tanh, pow, trigonometry, comparisons and select,
 * which are right but 5 to 20 times slower than the built-in engine including the copies, and sign, sin, cos, log1p, maximum, minimum and
 * isFinite of integers, which are wrong in places.
 */
export const elementwiseKernels = {
  negative: unary("Neg"),
  abs: unary("Abs"),
  floor: unary("Floor"),
  ceil: unary("Ceil"),
  sqrt: unary("Sqrt"),
  sigmoid: unary("Sigmoid"),
  add: binary("Add"),
  subtract: binary("Sub"),
  multiply: binary("Multiply"),
  divide: binary("RealDiv"),
  maximum,
} satisfies NativeKernels;
