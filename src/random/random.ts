import { toTensor } from "../core/convert.js";
import { type DType, isFloat, type Shape } from "../core/dtype.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { givenDType, toFloat } from "../ops/support.js";
import * as P from "../primitives/index.js";
import { binomialDraws } from "./binomial.js";
import { bernoulli, gumbel, shuffleAlong, standardNormal, truncatedStandardNormal, uniformBetween } from "./draws.js";
import { betaDraws, standardGamma } from "./gamma.js";
import { uniformIntegers } from "./integers.js";
import { drawSeed, type SeedOrKey } from "./seed-generator.js";

export interface RandomOptions {
  /** Element type of the result; the default float when null. */
  dtype?: string | null | undefined;
  /** An integer (or a key) repeats the same draw, a SeedGenerator moves on, null uses the global generator. */
  seed?: SeedOrKey | undefined;
}
export interface NormalOptions extends RandomOptions {
  mean?: TensorLike | undefined;
  stddev?: TensorLike | undefined;
}
const floatDType = (dtype: string | null | undefined): DType => {
  const given = givenDType(dtype) ?? floatx();
  if (!isFloat(given)) throw new TypeError(`The dtype must be a float. Received: ${given}.`);
  return given === "float64" ? "float32" : given;
};
const scaled = (x: Tensor, mean: TensorLike, stddev: TensorLike): Tensor =>
  P.add(P.multiply(x, toTensor(stddev, x.dtype)), toTensor(mean, x.dtype));

/** Draws from the normal distribution. */
export function normal(shape: Shape, { mean = 0, stddev = 1, dtype = null, seed = null }: NormalOptions = {}): Tensor {
  return scaled(standardNormal(drawSeed(seed), shape, floatDType(dtype)), mean, stddev);
}
/** Draws from the normal distribution, cut at two standard deviations from the mean. */
export function truncatedNormal(
  shape: Shape,
  { mean = 0, stddev = 1, dtype = null, seed = null }: NormalOptions = {},
): Tensor {
  return scaled(truncatedStandardNormal(drawSeed(seed), shape, floatDType(dtype)), mean, stddev);
}
export interface UniformOptions extends RandomOptions {
  minval?: TensorLike | undefined;
  maxval?: TensorLike | undefined;
}
/** Draws from the uniform distribution over [minval, maxval); whole numbers when `dtype` is an integer type. */
export function uniform(
  shape: Shape,
  { minval = 0, maxval = 1, dtype = null, seed = null }: UniformOptions = {},
): Tensor {
  const target = floatDType(dtype);
  return uniformBetween(drawSeed(seed), shape, target, toTensor(minval, target), toTensor(maxval, target));
}
/** Draws whole numbers from [minval, maxval). */
export function randint(
  shape: Shape,
  minval: TensorLike,
  maxval: TensorLike,
  { dtype = "int32", seed = null }: RandomOptions = {},
): Tensor {
  const target = givenDType(dtype) ?? "int32";
  return uniformIntegers(
    drawSeed(seed),
    shape,
    target === "int64" ? "int32" : target === "uint64" ? "uint32" : target,
    minval,
    maxval,
  );
}
/** Draws from gamma distributions of shape `alpha` (scale 1), which broadcasts to `shape`. Has no gradient in `alpha`. */
export function gamma(shape: Shape, alpha: TensorLike, { dtype = null, seed = null }: RandomOptions = {}): Tensor {
  const target = floatDType(dtype);
  return standardGamma(drawSeed(seed), P.broadcastTo(toTensor(alpha, target), shape), { logarithm: false });
}
/** Draws from beta distributions; `alpha` and `beta` broadcast to `shape`. Has no gradient in them. */
export function beta(
  shape: Shape,
  alpha: TensorLike,
  beta: TensorLike,
  { dtype = null, seed = null }: RandomOptions = {},
): Tensor {
  const target = floatDType(dtype);
  const spread = (x: TensorLike): Tensor => P.broadcastTo(toTensor(x, target), shape);
  return betaDraws(drawSeed(seed), spread(alpha), spread(beta));
}
/** Draws numbers of successes in `counts` trials with `probabilities`; both broadcast to `shape`. */
export function binomial(
  shape: Shape,
  counts: TensorLike,
  probabilities: TensorLike,
  { dtype = null, seed = null }: RandomOptions = {},
): Tensor {
  const rate = toFloat(probabilities);
  return binomialDraws(
    drawSeed(seed),
    P.broadcastTo(toTensor(counts, rate.dtype), shape),
    P.broadcastTo(rate, shape),
    floatDType(dtype),
  );
}
/** Draws class indices from rows of unnormalized log-probabilities [batch, classes]: [batch, numSamples]. */
export function categorical(
  logits: TensorLike,
  numSamples: number,
  { dtype = "int32", seed = null }: RandomOptions = {},
): Tensor {
  const rows = toTensor(logits);
  if (rows.ndim !== 2)
    throw new RangeError(`categorical expects logits [batch, classes]. Received shape [${rows.shape}].`);
  const [batch, classes] = rows.shape as [number, number];
  const noise = gumbel(drawSeed(seed), [batch, classes, numSamples], rows.dtype);
  const drawn = P.argMax(P.add(P.reshape(rows, [batch, classes, 1]), noise), 1);
  return P.cast(drawn, givenDType(dtype) ?? "int32");
}
/** Sets elements to 0 with probability `rate` and scales the others by 1 / (1 - rate). Axes of size 1 in `noiseShape` share one decision. */
export function dropout(
  inputs: TensorLike,
  rate: number,
  {
    noiseShape = null,
    seed = null,
  }: { noiseShape?: readonly (number | null)[] | null | undefined; seed?: SeedOrKey | undefined } = {},
): Tensor {
  const x = toTensor(inputs);
  const keep = 1 - rate;
  if (keep === 1) return x;
  if (keep === 0) return P.full(x.shape, 0, x.dtype);
  const shape = noiseShape ? noiseShape.map((d, i) => d ?? x.shape[i]!) : x.shape;
  const mask = bernoulli(drawSeed(seed), P.full([], keep, "float32"), shape);
  return P.select(P.broadcastTo(mask, x.shape), P.divide(x, P.full([], keep, x.dtype)), P.full([], 0, x.dtype));
}
/** Shuffles along `axis`; every vector along it in its own order, as JAX does. */
export function shuffle(
  x: TensorLike,
  { axis = 0, seed = null }: { axis?: number | undefined; seed?: SeedOrKey | undefined } = {},
): Tensor {
  const t = toTensor(x);
  return shuffleAlong(drawSeed(seed), t, axis < 0 ? axis + t.ndim : axis);
}
