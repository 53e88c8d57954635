import { configure } from "../../config/configure.js";
import { type Arguments, ints, oneOf, optional, type Options } from "../../config/fields.js";
import type { Tensor } from "../../core/tensor.js";
import { averagePool, maxPool } from "../../ops/pooling.js";
import { dataFormat } from "../data-format.js";
import { InputSpec } from "../input-spec.js";
import { Layer, type LayerOptions } from "../layer.js";

/** Steps of a pooling window over `rank` spatial axes; its size when null. */
/* @__NO_SIDE_EFFECTS__ */
const strides = (rank: number) => optional(ints(rank, { allowZero: true }));
const fields = {
  poolSize: ints(0),
  padding: oneOf(["valid", "same"], "valid", { lowercase: true }),
  strides: strides(0),
  dataFormat: dataFormat(),
};
/** Size of a window: one number for all spatial axes, or one for each. */
export type WindowSize = number | readonly number[];
/** The options of pooling layers, besides the size of the window. */
export interface PoolingOptions extends LayerOptions, Options<typeof fields> {}

/** Base of pooling layers: they reduce each window of the spatial axes. */
export abstract class BasePooling extends configure(Layer, "BasePooling", fields) {
  static override readonly callOptions: readonly string[] = [];

  constructor(options: Arguments<typeof fields> & LayerOptions) {
    super({ ...options, strides: options.strides ?? options.poolSize });
    this.inputSpec = new InputSpec({ ndim: this.poolSize.length + 2 });
    this.buildAtInit();
  }
  /** Options of the op that pools. */
  protected get windowOptions() {
    const { strides, padding, dataFormat } = this;
    return { strides, padding, dataFormat };
  }
}

/** Arguments of max pooling over `rank` spatial axes. */
/* @__NO_SIDE_EFFECTS__ */
export const maxPoolingFields = (rank: number) => ({ poolSize: ints(rank, 2), strides: strides(rank) });
/** The options of max pooling layers. */
export interface MaxPoolingOptions extends PoolingOptions {
  /** Size of the window, for all spatial axes or each; 2 when left out. */
  poolSize?: WindowSize | undefined;
}
/** Base of max pooling. */
export abstract class BaseMaxPooling extends configure(BasePooling, "BaseMaxPooling", {}) {
  constructor({ poolSize = 2, ...options }: MaxPoolingOptions) {
    super({ poolSize, ...options });
  }
  override call(inputs: Tensor): Tensor {
    return maxPool(inputs, this.poolSize, this.windowOptions);
  }
}
/** The size of the window may come first, as in Python, or among the options. */
export const maxPoolingOptions = (first: WindowSize | MaxPoolingOptions, rest: PoolingOptions): MaxPoolingOptions =>
  typeof first === "number" || Array.isArray(first)
    ? { ...rest, poolSize: first as WindowSize }
    : (first as MaxPoolingOptions);

/** Arguments of average pooling over `rank` spatial axes. */
/* @__NO_SIDE_EFFECTS__ */
export const averagePoolingFields = (rank: number) => ({ poolSize: ints(rank), strides: strides(rank) });
/** Base of average pooling; elements outside the inputs do not count. */
export abstract class BaseAveragePooling extends configure(BasePooling, "BaseAveragePooling", {}) {
  override call(inputs: Tensor): Tensor {
    return averagePool(inputs, this.poolSize, this.windowOptions);
  }
}
