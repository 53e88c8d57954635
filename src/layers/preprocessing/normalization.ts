import { configure } from "../../config/configure.js";
import { any, bool, derived, intOrInts, optional, type Options } from "../../config/fields.js";
import { registerBuiltins } from "../../config/registry.js";
import { toTensor } from "../../core/convert.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import { type ArrayLikeData, NDArray, type NestedArray } from "../../core/ndarray.js";
import { epsilon } from "../../core/settings.js";
import { fromHost, type Tensor, type TensorLike, TensorScope } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { add, divide, maximum, multiply, sqrt, square, subtract } from "../../ops/arithmetic.js";
import { cast } from "../../ops/elementwise.js";
import { moments } from "../../ops/normalization.js";
import { broadcastTo, reshape } from "../../ops/shape.js";
import { Layer, type LayerOptions } from "../layer.js";
import { sizesOf } from "../normalization/normalized-axes.js";

/** Given statistics as nested arrays, which is how they are saved; null when they are to be learned. */
const statistic = () =>
  derived(any<ArrayLikeData | null>(null), (value): NestedArray | null =>
    value === null || typeof value === "number" || Array.isArray(value)
      ? (value as NestedArray | null)
      : NDArray.from(value).toArray(),
  );
const fields = {
  /** Axes that keep statistics of their own; null or [] for one mean and variance of all elements. */
  axis: derived(optional(intOrInts(), -1), (value): readonly number[] =>
    value === null ? [] : typeof value === "number" ? [value] : value,
  ),
  mean: statistic(),
  variance: statistic(),
  /** Whether to undo the normalization. */
  invert: bool(false),
};
export interface NormalizationOptions extends LayerOptions, Options<typeof fields> {}

/** Gives features mean 0 and variance 1, by statistics that are given or that `adapt` learns from data. */
export class Normalization extends configure(Layer, "Normalization", fields) {
  static override readonly callOptions: readonly string[] = [];
  adaptMean: Variable | null = null;
  adaptVariance: Variable | null = null;
  count: Variable | null = null;
  /** Sizes of the kept axes, and 1 for others. */
  #broadcast: readonly number[] = [];
  #kept: readonly number[] = [];

  constructor(options: NormalizationOptions = {}) {
    super(options);
    this.supportsMasking = true;
    const { mean, variance } = this;
    if ((mean === null) !== (variance === null))
      throw new TypeError("`Normalization.mean` and `Normalization.variance` must be given together.");
    if (mean === null || variance === null) return;
    const [m, v] = [NDArray.from(mean as ArrayLikeData), NDArray.from(variance as ArrayLikeData)];
    if (m.shape.join() !== v.shape.join() || m.ndim > this.axis.length)
      throw new RangeError(
        `\`Normalization.mean\` and \`variance\` must have one shape, of at most ${this.axis.length} axes. Received shapes [${m.shape}] and [${v.shape}].`,
      );
  }
  override build(inputShape: SymbolicShape): void {
    const rank = inputShape.length;
    sizesOf(this.name, this.axis, inputShape);
    this.#kept = this.axis.map((axis) => (axis < 0 ? axis + rank : axis)).sort((a, b) => a - b);
    const sizes = sizesOf(this.name, this.#kept, inputShape);
    this.#broadcast = inputShape.map((_, i) => sizes[this.#kept.indexOf(i)] ?? 1);
    if (this.mean !== null) return;
    const state = { shape: sizes, trainable: false } as const;
    this.adaptMean = this.addWeight({ name: "mean", initializer: "zeros", ...state });
    this.adaptVariance = this.addWeight({ name: "variance", initializer: "ones", ...state });
    // Kept by Python for files of old versions.
    this.count = this.addWeight({ name: "count", initializer: "zeros", dtype: "int32", shape: [], trainable: false });
  }
  override call(inputs: Tensor): Tensor {
    const x = cast(inputs, this.inputDtype);
    const [mean, variance] = [
      this.spread(this.adaptMean ?? (this.mean as ArrayLikeData), x),
      this.spread(this.adaptVariance ?? (this.variance as ArrayLikeData), x),
    ];
    const deviation = maximum(sqrt(variance), epsilon());
    return this.invert ? add(mean, multiply(x, deviation)) : divide(subtract(x, mean), deviation);
  }
  /** A statistic with its axes where the inputs have them. */
  private spread(statistic: TensorLike, x: Tensor): Tensor {
    const t = toTensor(statistic, x.dtype);
    const own = this.#kept.slice(this.#kept.length - t.ndim);
    const shape = this.#broadcast.map((_, i) => (own.includes(i) ? t.shape[own.indexOf(i)]! : 1));
    return broadcastTo(reshape(t, shape), this.#broadcast);
  }
  /** Learns mean and variance from data: an array, or batches of arrays. What was learned before is forgotten. */
  adapt(data: TensorLike | Iterable<TensorLike>): void {
    using _ = new TensorScope();
    let seen = 0;
    for (const batch of isBatches(data) ? data : [data]) {
      const x = cast(batch instanceof NDArray ? fromHost(batch) : toTensor(batch), "float32");
      if (!this.built) this.build(x.shape.map((dim, i) => (i === 0 && !this.axis.includes(0) ? null : dim)));
      if (!this.adaptMean || !this.adaptVariance)
        throw new Error(`Layer "${this.name}" was given its mean and variance: there is nothing to adapt.`);
      const axes = x.shape.flatMap((_size, i) => (this.#kept.includes(i) ? [] : [i]));
      const [mean, variance] = moments(x, axes);
      const elements = axes.reduce((n, axis) => n * x.shape[axis]!, 1);
      const share = elements / (seen + elements);
      const total = mixed(this.adaptMean.value, mean, share);
      const around = (center: Tensor, spread: Tensor): Tensor => add(spread, square(subtract(center, total)));
      const spread = mixed(around(this.adaptMean.value, this.adaptVariance.value), around(mean, variance), share);
      this.adaptMean.assign(total);
      this.adaptVariance.assign(spread);
      seen += elements;
    }
  }
}
const mixed = (old: Tensor, current: Tensor, share: number): Tensor =>
  share === 1 ? current : add(multiply(old, 1 - share), multiply(current, share));
/** Whether the data comes in batches; arrays of numbers (of any depth) are one array. */
function isBatches(data: TensorLike | Iterable<TensorLike>): data is Iterable<TensorLike> {
  if (typeof data !== "object" || !(Symbol.iterator in data) || ArrayBuffer.isView(data)) return false;
  let first: unknown = data;
  while (Array.isArray(first)) first = first[0];
  return typeof first !== "number" && typeof first !== "boolean";
}

registerBuiltins("keras.layers", { Normalization });
