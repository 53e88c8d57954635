import { configure } from "../config/configure.js";
import { bool, int, number, optional, type Options } from "../config/fields.js";
import type { Tensor } from "../core/tensor.js";
import * as losses from "../losses/functions.js";
import { squeezeOrExpandToSameRank } from "../losses/reduce.js";
import { MeanOfFunction } from "./mean.js";
import { type MetricOptions, named } from "./metric.js";

const binaryFields = { name: named("binary_crossentropy"), fromLogits: bool(false), labelSmoothing: number(0) };
export interface BinaryCrossentropyMetricOptions extends MetricOptions, Options<typeof binaryFields> {}
/** Mean crossentropy of independent yes/no targets. */
export class BinaryCrossentropy extends configure(MeanOfFunction, "BinaryCrossentropy", binaryFields) {
  constructor(options: BinaryCrossentropyMetricOptions = {}) {
    super(options);
  }
  override get direction(): "down" {
    return "down";
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    const { fromLogits, labelSmoothing } = this;
    return losses.binaryCrossentropy(...squeezeOrExpandToSameRank(yTrue, yPred), { fromLogits, labelSmoothing });
  }
}
const categoricalFields = {
  name: named("categorical_crossentropy"),
  fromLogits: bool(false),
  labelSmoothing: number(0),
  axis: int(-1),
};
export interface CategoricalCrossentropyMetricOptions extends MetricOptions, Options<typeof categoricalFields> {}
/** Mean crossentropy of one-hot targets. */
export class CategoricalCrossentropy extends configure(MeanOfFunction, "CategoricalCrossentropy", categoricalFields) {
  constructor(options: CategoricalCrossentropyMetricOptions = {}) {
    super(options);
  }
  override get direction(): "down" {
    return "down";
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    const { fromLogits, labelSmoothing, axis } = this;
    return losses.categoricalCrossentropy(yTrue, yPred, { fromLogits, labelSmoothing, axis });
  }
}
const sparseFields = {
  name: named("sparse_categorical_crossentropy"),
  fromLogits: bool(false),
  ignoreClass: optional(int()),
  axis: int(-1),
};
export interface SparseCategoricalCrossentropyMetricOptions extends MetricOptions, Options<typeof sparseFields> {}
/** Mean crossentropy of class indices. */
export class SparseCategoricalCrossentropy extends configure(
  MeanOfFunction,
  "SparseCategoricalCrossentropy",
  sparseFields,
) {
  constructor(options: SparseCategoricalCrossentropyMetricOptions = {}) {
    super(options);
  }
  override get direction(): "down" {
    return "down";
  }
  override values(yTrue: Tensor, yPred: Tensor): Tensor {
    const { fromLogits, ignoreClass, axis } = this;
    return losses.sparseCategoricalCrossentropy(yTrue, yPred, { fromLogits, ignoreClass, axis });
  }
}
