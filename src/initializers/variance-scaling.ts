import { configure, type Configured } from "../config/configure.js";
import { float, intOrInts, oneOf, optional, type Options, type Values } from "../config/fields.js";
import type { Shape } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import * as random from "../random/random.js";
import type { Seed } from "../random/seed-generator.js";
import { type InitializerCallOptions, RandomInitializer } from "./initializer.js";

const axesFields = { inputAxes: optional(intOrInts()), outputAxes: optional(intOrInts()) };
const scalingFields = {
  scale: float(1),
  mode: oneOf(["fan_in", "fan_out", "fan_avg"], "fan_in"),
  distribution: oneOf(["truncated_normal", "untruncated_normal", "uniform", "normal"], "truncated_normal"),
  ...axesFields,
};
type Mode = "fan_in" | "fan_out" | "fan_avg";
type Distribution = "truncated_normal" | "untruncated_normal" | "uniform" | "normal";
type Axes = number | readonly number[] | null;

/** Fans of a weight: for kernels the receptive field times the channels on either side. */
export function computeFans(
  shape: Shape,
  inputAxes: Axes = null,
  outputAxes: Axes = null,
): readonly [fanIn: number, fanOut: number] {
  if (inputAxes !== null || outputAxes !== null) return fansByAxes(shape, inputAxes, outputAxes);
  if (shape.length === 0) return [1, 1];
  if (shape.length === 1) return [shape[0]!, shape[0]!];
  const field = shape.slice(0, -2).reduce((n, d) => n * d, 1);
  return [shape.at(-2)! * field, shape.at(-1)! * field];
}
function fansByAxes(shape: Shape, inputAxes: Axes, outputAxes: Axes): readonly [number, number] {
  const list = (axes: Axes): number[] =>
    (axes === null ? [] : typeof axes === "number" ? [axes] : [...axes]).map((a) => (a < 0 ? a + shape.length : a));
  const [inputs, outputs] = [list(inputAxes), list(outputAxes)];
  const product = (axes: readonly number[]): number => axes.reduce((n, a) => n * shape[a]!, 1);
  const field = product(shape.map((_, i) => i).filter((i) => !inputs.includes(i) && !outputs.includes(i)));
  return [product(inputs) * field, product(outputs) * field];
}

export interface Scaling {
  readonly scale: number;
  readonly mode: Mode;
  readonly distribution: Distribution;
  readonly inputAxes: Axes;
  readonly outputAxes: Axes;
}
/** Draws with variance scale / fan (Glorot & Bengio, 2010; He et al., 2015). */
function scaled(
  shape: Shape,
  { scale, mode, distribution, inputAxes, outputAxes }: Scaling,
  seed: Seed,
  { dtype }: InitializerCallOptions,
): Tensor {
  const [fanIn, fanOut] = computeFans(shape, inputAxes, outputAxes);
  const fan = mode === "fan_in" ? fanIn : mode === "fan_out" ? fanOut : (fanIn + fanOut) / 2;
  const variance = scale / Math.max(1, fan);
  switch (distribution) {
    case "uniform": {
      const limit = Math.sqrt(3 * variance);
      return random.uniform(shape, { minval: -limit, maxval: limit, dtype, seed });
    }
    case "untruncated_normal":
      return random.normal(shape, { stddev: Math.sqrt(variance), dtype, seed });
    default:
      // The standard deviation of a standard normal cut at two deviations.
      return random.truncatedNormal(shape, { stddev: Math.sqrt(variance) / 0.87962566103423978, dtype, seed });
  }
}

export interface VarianceScalingOptions extends Options<typeof scalingFields> {
  seed?: Seed | undefined;
}
/** Draws with a variance adapted to the shape of the weight. */
export class VarianceScaling extends configure(RandomInitializer, "VarianceScaling", scalingFields) {
  constructor(options: VarianceScalingOptions = {}) {
    super(options);
  }
  override call(shape: Shape, options: InitializerCallOptions): Tensor {
    return scaled(shape, this, this.drawSeed, options);
  }
}

export interface FanOptions extends Options<typeof axesFields> {
  seed?: Seed | undefined;
}
/** A class of initializers that have the axes as their only options. */
type FanInitializerClass = Omit<Configured<typeof RandomInitializer, typeof axesFields>, "prototype"> &
  (new (options?: FanOptions) => RandomInitializer & Values<typeof axesFields>);

/** What the class of an initializer named after an author extends: variance scaling with everything but the axes fixed. */
/* @__NO_SIDE_EFFECTS__ */
function fanInitializer(className: string, scale: number, mode: Mode, distribution: Distribution): FanInitializerClass {
  abstract class Base extends configure(RandomInitializer, "FanInitializer", axesFields) {
    constructor(options: FanOptions = {}) {
      super(options);
    }
    override call(shape: Shape, options: InitializerCallOptions): Tensor {
      const { inputAxes, outputAxes } = this;
      return scaled(shape, { scale, mode, distribution, inputAxes, outputAxes }, this.drawSeed, options);
    }
  }
  return configure(Base, className, {}) as unknown as FanInitializerClass;
}
/** Uniform with variance 2 / (fan in + fan out): Xavier uniform. */
export class GlorotUniform extends fanInitializer("GlorotUniform", 1, "fan_avg", "uniform") {}
/** Truncated normal with variance 2 / (fan in + fan out): Xavier normal. */
export class GlorotNormal extends fanInitializer("GlorotNormal", 1, "fan_avg", "truncated_normal") {}
/** Uniform with variance 1 / fan in. */
export class LecunUniform extends fanInitializer("LecunUniform", 1, "fan_in", "uniform") {}
/** Truncated normal with variance 1 / fan in. */
export class LecunNormal extends fanInitializer("LecunNormal", 1, "fan_in", "truncated_normal") {}
/** Uniform with variance 2 / fan in. */
export class HeUniform extends fanInitializer("HeUniform", 2, "fan_in", "uniform") {}
/** Truncated normal with variance 2 / fan in. */
export class HeNormal extends fanInitializer("HeNormal", 2, "fan_in", "truncated_normal") {}
