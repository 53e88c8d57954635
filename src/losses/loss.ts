import { Configurable } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import { autoNamed, derived, type Field, oneOf, optional, string, type Options } from "../config/fields.js";
import { type DType, standardizeDType } from "../core/dtype.js";
import { floatx } from "../core/settings.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import { toTensor } from "../core/convert.js";
import { mapStructure } from "../tree/index.js";
import { combineMasks, reduceWeightedValues, type Reduction, reductions } from "./reduce.js";

const fields = {
  name: autoNamed(),
  /** How per-sample losses become one number. */
  reduction: derived(optional(oneOf(reductions), "sum_over_batch_size"), (value) => value ?? "none"),
  /** Dtype of the computation; the default float when null. Not saved. */
  dtype: optional(string(), null, { saved: false }),
};
export interface LossOptions extends Options<typeof fields> {}

/** The name of a loss whose class has a fixed one. */
export const named = (name: string): Field<string | null, string, false> =>
  derived(optional(string()), (value) => value ?? name);

export interface Loss {
  (yTrue: TensorLike, yPred: TensorLike, sampleWeight?: TensorLike | null): Tensor;
}
/** Base of losses: `call` gives one value a sample, which `reduction` makes one number. */
export abstract class Loss extends configure(Configurable, "Loss", fields) {
  static override readonly module: string = "keras.losses";

  /** Losses per sample. */
  abstract call(yTrue: Tensor, yPred: Tensor): Tensor;

  protected override invoke(yTrue: TensorLike, yPred: TensorLike, sampleWeight: TensorLike | null = null): Tensor {
    const dtype = this.computeDType;
    const inMask = maskOf(yPred);
    const convert = (x: unknown): Tensor => toTensor(x as TensorLike, dtype);
    const losses = this.call(mapData(yTrue, convert), mapData(yPred, convert));
    const mask = combineMasks(inMask, losses.kerasMask);
    return reduceWeightedValues(losses, {
      sampleWeight: sampleWeight === null ? null : toTensor(sampleWeight),
      mask,
      reduction: this.reduction as Reduction,
      dtype,
    });
  }
  protected get computeDType(): DType {
    return standardizeDType(this.dtype, floatx());
  }
}
const isLeafData = (x: unknown): boolean => !Array.isArray(x) || typeof x[0] === "number" || Array.isArray(x[0]);
/** Converts a tensor, or each tensor of a structure of outputs; nested arrays of numbers are one tensor. */
const mapData = (x: unknown, convert: (x: unknown) => Tensor): Tensor =>
  isLeafData(x) ? convert(x) : (mapStructure(convert, x) as unknown as Tensor);
const maskOf = (x: unknown): Tensor | null =>
  ((x as { kerasMask?: Tensor | null } | null)?.kerasMask ?? null) as Tensor | null;
