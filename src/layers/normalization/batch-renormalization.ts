import { wrongValue } from "../../config/make-field.js";
import type { Shape } from "../../core/dtype.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import type { InitializerFunction } from "../../initializers/lookup.js";
import { relu } from "../../ops/activation.js";
import { add, clip, divide, maximum, minimum, multiply, sqrt, square, subtract } from "../../ops/arithmetic.js";
import { cast, stopGradient } from "../../ops/elementwise.js";

/** Limits of batch renormalization: of the ratio of deviations, and of the distance of means. */
export interface RenormClipping {
  readonly rmin?: number | null;
  readonly rmax?: number | null;
  readonly dmax?: number | null;
}
/** Checks the limits. */
export function checkClipping(value: RenormClipping | null, name: string): RenormClipping | null {
  if (value === null) return null;
  const known = ["rmin", "rmax", "dmax"];
  const sound =
    typeof value === "object" &&
    Object.entries(value).every(([key, limit]) => known.includes(key) && (limit === null || typeof limit === "number"));
  if (!sound || (value.rmax ?? Infinity) < (value.rmin ?? -Infinity) || (value.dmax ?? 0) < 0)
    throw wrongValue(name, "an object of rmin, rmax (not below rmin) and dmax (not negative)", value);
  return value;
}

interface Normalized {
  readonly movingMean: Variable | null;
  readonly movingVariance: Variable | null;
  readonly movingMeanInitializer: InitializerFunction;
  readonly movingVarianceInitializer: InitializerFunction;
  readonly momentum: number;
  readonly renormMomentum: number;
  readonly epsilon: number;
  readonly renormClipping: RenormClipping | null;
}
interface Affine {
  readonly scale: Tensor | null;
  readonly offset: Tensor | null;
}
/** Batch renormalization (Ioffe, 2017): corrects the statistics of a batch by moving ones, and keeps those. */
export class Renormalization {
  readonly #movingDeviation: Variable;
  readonly #mean: Variable;
  readonly #deviation: Variable;

  constructor(
    private readonly layer: Normalized,
    statistic: (name: string, initializer: InitializerFunction) => Variable,
  ) {
    const deviation: InitializerFunction = (shape: Shape, options) =>
      sqrt(layer.movingVarianceInitializer(shape, options));
    this.#movingDeviation = statistic("moving_stddev", deviation);
    this.#mean = statistic("renorm_mean", layer.movingMeanInitializer);
    this.#deviation = statistic("renorm_stddev", deviation);
  }

  /** Scale and offset that undo the difference of batch and moving statistics; then moves those. */
  correct(mean: Tensor, variance: Tensor, { scale, offset }: Affine): Affine {
    const { epsilon, renormClipping } = this.layer;
    const { rmin = null, rmax = null, dmax = null } = renormClipping ?? {};
    const deviation = sqrt(add(variance, epsilon));
    const usual = maximum(cast(this.#deviation, mean.dtype), Math.sqrt(epsilon));
    let r = divide(deviation, usual);
    let d = divide(subtract(mean, cast(this.#mean, mean.dtype)), usual);
    if (rmin !== null) r = maximum(r, rmin);
    if (rmax !== null) r = minimum(r, rmax);
    if (dmax !== null) d = clip(d, -dmax, dmax);
    [r, d] = [stopGradient(r), stopGradient(d)];
    const shift = scale ? multiply(d, scale) : d;
    this.moveStatistics(mean, deviation);
    return { scale: scale ? multiply(r, scale) : r, offset: offset ? add(shift, offset) : shift };
  }
  private moveStatistics(mean: Tensor, deviation: Tensor): void {
    const { momentum, renormMomentum, movingMean, movingVariance, epsilon } = this.layer;
    const moved = (variable: Variable, current: Tensor, share: number): Tensor =>
      add(multiply(cast(variable, current.dtype), share), multiply(current, 1 - share));
    this.#mean.assign(moved(this.#mean, mean, renormMomentum));
    this.#deviation.assign(moved(this.#deviation, deviation, renormMomentum));
    movingMean!.assign(moved(movingMean!, mean, momentum));
    const next = moved(this.#movingDeviation, deviation, momentum);
    this.#movingDeviation.assign(next);
    movingVariance!.assign(relu(subtract(square(next), epsilon)));
  }
}
