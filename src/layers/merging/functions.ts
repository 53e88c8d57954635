import type { KerasTensor } from "../../core/keras-tensor.js";
import type { Tensor } from "../../core/tensor.js";
import type { EagerInput, SymbolicInput } from "../base/call-types.js";
import type { LayerOptions } from "../layer.js";
import { Add } from "./add.js";
import { Average } from "./average.js";
import { Concatenate, type ConcatenateOptions } from "./concatenate.js";
import { Dot, type DotOptions } from "./dot.js";
import { Maximum } from "./maximum.js";
import { Minimum } from "./minimum.js";
import { Multiply } from "./multiply.js";
import { Subtract } from "./subtract.js";

/** A merging layer made and called in one go. */
interface MergeFunction<O> {
  (inputs: readonly EagerInput[], options?: O): Tensor;
  (inputs: readonly SymbolicInput[], options?: O): KerasTensor;
}
const merging =
  <O>(make: (options: O | undefined) => unknown): MergeFunction<O> =>
  (inputs: readonly unknown[], options?: O) =>
    (make(options) as (x: readonly unknown[]) => never)(inputs);

/** Sum of `inputs`, by a new Add layer. */
export const add = merging((options?: LayerOptions) => new Add(options));
/** Difference of two inputs, by a new Subtract layer. */
export const subtract = merging((options?: LayerOptions) => new Subtract(options));
/** Product of `inputs`, by a new Multiply layer. */
export const multiply = merging((options?: LayerOptions) => new Multiply(options));
/** Mean of `inputs`, by a new Average layer. */
export const average = merging((options?: LayerOptions) => new Average(options));
/** Largest of `inputs`, by a new Maximum layer. */
export const maximum = merging((options?: LayerOptions) => new Maximum(options));
/** Smallest of `inputs`, by a new Minimum layer. */
export const minimum = merging((options?: LayerOptions) => new Minimum(options));
/** `inputs` joined, by a new Concatenate layer. */
export const concatenate = merging((options?: ConcatenateOptions) => new Concatenate(options));
/** Products of two inputs along `axes`, by a new Dot layer. */
export const dot = merging(
  ({ axes = -1, ...options }: DotOptions & { axes?: number | readonly number[] } = {}) => new Dot(axes, options),
);
