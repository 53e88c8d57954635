import { configure } from "../../config/configure.js";
import { any, bool, derived, float, int, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { initializer } from "../../initializers/lookup.js";
import { add, multiply } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { batchNormalization, moments } from "../../ops/normalization.js";
import { axisOf } from "../../ops/support.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { addBeta, addGamma, affineFields } from "./affine.js";
import { checkClipping, type RenormClipping, Renormalization } from "./batch-renormalization.js";
import { maskedMoments } from "./masked-moments.js";
import { sizesOf } from "./normalized-axes.js";

const fields = {
  /** The axis that keeps statistics of its own: that of channels. */
  axis: int(-1),
  /** How much of a moving statistic stays at each step. */
  momentum: float(0.99),
  epsilon: float(1e-3),
  ...affineFields,
  movingMeanInitializer: initializer("zeros"),
  movingVarianceInitializer: initializer("ones"),
  /** Whether statistics are those of all replicas; with one there is no difference. */
  synchronized: bool(false),
  /** Whether to correct batch statistics by moving ones in training (Ioffe, 2017). */
  renorm: bool(false),
  /** Limits of the correction, as `{ rmin, rmax, dmax }`; none by default. */
  renormClipping: derived(any<RenormClipping | null>(null), checkClipping),
  renormMomentum: float(0.99),
};
export interface BatchNormalizationOptions extends LayerOptions, Options<typeof fields> {}

/**
 * Gives each channel mean 0 and variance 1 (Ioffe and Szegedy, 2015): over the batch in training, by moving averages otherwise. A layer that
 * is not trainable always uses its moving averages.
 */
export class BatchNormalization extends configure(Layer, "BatchNormalization", fields) {
  static override readonly callOptions: readonly string[] = ["training", "mask"];
  gamma: Variable | null = null;
  beta: Variable | null = null;
  movingMean: Variable | null = null;
  movingVariance: Variable | null = null;
  #renormalization: Renormalization | null = null;

  constructor(options: BatchNormalizationOptions = {}) {
    super(options);
    this.supportsMasking = true;
  }
  override build(inputShape: SymbolicShape): void {
    const shape = sizesOf(this.name, [this.axis], inputShape);
    if (this.scale) this.gamma = addGamma(this, shape);
    if (this.center) this.beta = addBeta(this, shape);
    const statistic = (name: string, first: typeof this.movingMeanInitializer): Variable =>
      this.addWeight({ name, shape, initializer: first, trainable: false, autocast: false });
    this.movingMean = statistic("moving_mean", this.movingMeanInitializer);
    this.movingVariance = statistic("moving_variance", this.movingVarianceInitializer);
    if (this.renorm) this.#renormalization = new Renormalization(this, statistic);
    this.inputSpec = new InputSpec({ ndim: inputShape.length, axes: { [this.axis]: shape[0]! } });
  }
  override call(
    inputs: Tensor,
    { training = false, mask = null }: { training?: boolean | null; mask?: Tensor | null } = {},
  ): Tensor {
    if (mask && mask.ndim !== inputs.ndim - 1)
      throw new RangeError(
        `Layer "${this.name}": the mask must have one axis less than the inputs. Received: mask of shape [${mask.shape}] and inputs of shape [${inputs.shape}].`,
      );
    // Half precision would overflow in the sums.
    const x = cast(inputs, "float32");
    const wide = (variable: Variable): Tensor => cast(variable, "float32");
    let [mean, variance] = [wide(this.movingMean!), wide(this.movingVariance!)];
    let scale = this.gamma && wide(this.gamma);
    let offset = this.beta && wide(this.beta);
    if (training && this.trainable) {
      const at = axisOf(this.axis, x.ndim);
      const axes = x.shape.flatMap((_, i) => (i === at ? [] : [i]));
      const [batchMean, batchVariance] = mask ? maskedMoments(x, mask, axes) : moments(x, axes);
      if (this.#renormalization) {
        ({ scale, offset } = this.#renormalization.correct(batchMean, batchVariance, { scale, offset }));
      } else {
        this.move(this.movingMean!, mean, batchMean);
        this.move(this.movingVariance!, variance, batchVariance);
      }
      [mean, variance] = [batchMean, batchVariance];
    }
    const { axis, epsilon } = this;
    return cast(batchNormalization(x, mean, variance, axis, { scale, offset, epsilon }), this.computeDtype);
  }
  private move(variable: Variable, moving: Tensor, current: Tensor): void {
    variable.assign(add(multiply(moving, this.momentum), multiply(current, 1 - this.momentum)));
  }
}

registerBuiltins("keras.layers", { BatchNormalization });
