import { configure } from "../../config/configure.js";
import type { Config } from "../../config/field.js";
import { derived, float, int, type Options } from "../../config/fields.js";
import { wrongValue } from "../../config/make-field.js";
import { registerBuiltins } from "../../config/registry.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { add, multiply, negative, rsqrt } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { moments } from "../../ops/normalization.js";
import { reshape } from "../../ops/shape.js";
import { axisOf } from "../../ops/support.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";
import { addBeta, addGamma, affineFields } from "./affine.js";
import { sizesOf } from "./normalized-axes.js";

const fields = {
  /** Number of groups of channels; -1 makes every channel a group. */
  groups: derived(int(32), (value, name) => {
    if (value <= 0 && value !== -1) throw wrongValue(name, "a positive integer, or -1 for one group a channel", value);
    return value;
  }),
  /** The axis of channels. */
  axis: int(-1),
  epsilon: float(1e-3),
  ...affineFields,
};
export interface GroupNormalizationOptions extends LayerOptions, Options<typeof fields> {}

/** Gives each sample mean 0 and variance 1 within groups of channels (Wu and He, 2018). */
export class GroupNormalization extends configure(Layer, "GroupNormalization", fields) {
  static override readonly callOptions: readonly string[] = [];
  gamma: Variable | null = null;
  beta: Variable | null = null;
  /** Number of groups, once the number of channels is known. */
  #groups: number | null = null;

  constructor(options: GroupNormalizationOptions = {}) {
    super({ ...options, autocast: false });
    this.supportsMasking = true;
  }
  override build(inputShape: SymbolicShape): void {
    const [channels] = sizesOf(this.name, [this.axis], inputShape) as [number];
    const groups = this.groups === -1 ? channels : this.groups;
    if (channels % groups !== 0)
      throw new RangeError(
        `Layer "${this.name}": the number of groups (${groups}) must divide the number of channels (${channels}).`,
      );
    this.#groups = groups;
    this.inputSpec = new InputSpec({ ndim: inputShape.length, axes: { [this.axis]: channels } });
    if (this.scale) this.gamma = addGamma(this, [channels]);
    if (this.center) this.beta = addBeta(this, [channels]);
  }
  override call(inputs: Tensor): Tensor {
    const at = axisOf(this.axis, inputs.ndim);
    const groups = this.#groups!;
    const size = inputs.shape[at]! / groups;
    const grouped = (shape: readonly number[]): number[] => [
      ...shape.slice(0, at),
      groups,
      size,
      ...shape.slice(at + 1),
    ];
    const x = reshape(cast(inputs, "float32"), grouped(inputs.shape));
    const axes = x.shape.flatMap((_, i) => (i === 0 || i === at ? [] : [i]));
    const [mean, variance] = moments(x, axes, { keepdims: true });
    const along = (vector: Variable): Tensor => reshape(cast(vector, "float32"), grouped(inputs.shape.map(() => 1)));
    const inverse = rsqrt(add(variance, this.epsilon));
    const scale = this.gamma ? multiply(inverse, along(this.gamma)) : inverse;
    const shift = multiply(negative(mean), scale);
    const y = add(multiply(x, scale), this.beta ? add(shift, along(this.beta)) : shift);
    return cast(reshape(y, inputs.shape), this.computeDtype);
  }
  override getConfig(): Config {
    return { ...super.getConfig(), groups: this.#groups ?? this.groups };
  }
}

registerBuiltins("keras.layers", { GroupNormalization });
